export * from '@recloser/core';
export type { FetchRequest } from './fetch-request.ts';
export {
  guardedFetch,
  type FetchArguments,
  type FetchClient,
  type GuardedFetchOptions,
} from './guarded-fetch.ts';
export type { FetchOriginal, GuardedRequest, KeyedRequest, WrapFetchOptions } from './options.ts';
export { wrapFetch, type AnyFetch } from './wrap-fetch.ts';
export { wrapGlobalFetch } from './wrap-global-fetch.ts';
