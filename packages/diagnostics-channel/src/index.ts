export { channels } from './channels.ts';
export { publishEvents, type PublishedEvent } from './publish-events.ts';
