export * from '@recloser/core';
export type { RefusedRequest, WrapFetchOptions } from './options.ts';
export { wrapFetch, type AnyFetch } from './wrap-fetch.ts';
export { wrapGlobalFetch } from './wrap-global-fetch.ts';
