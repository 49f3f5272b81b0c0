export type { AdminHandler, AdminIntent, AdminOptions } from './admin-options.ts';
export type { BreakerList, BreakerView } from './breaker-views.ts';
export { createAdminHandler } from './create-admin-handler.ts';
export type { RecentEvent } from './recent-events.ts';
export { toNodeHandler } from './to-node-handler.ts';
