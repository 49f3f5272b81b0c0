import { addLayer } from '@recloser/core/adapter';
import type { AxiosAdapter, InternalAxiosRequestConfig } from 'axios';
import { axiosOf } from './axios-copy.ts';
import { isCancelled } from './callers-signal.ts';
import type { Guard } from './guard.ts';
import { guardedCall } from './guarded-call.ts';
import type { AttemptedRequest } from './options.ts';
import { requestUrl } from './request-url.ts';

type Adapter = InternalAxiosRequestConfig['adapter'];

// On each adapter of ours. A config that is sent again, as by a retry, brings it along.
const layer: unique symbol = Symbol('layer');

interface Layer {
  readonly guard: Guard;
  readonly base: Adapter;
}

/** The adapter, or whatever names it, behind the guard; itself where it is behind it already. */
export function guardedAdapter(adapter: Adapter, guard: Guard): Adapter {
  let base = adapter;
  for (let top = layerOf(base); top?.guard.isRemoved; top = layerOf(base)) base = top.base;
  let below = base;
  for (let next = layerOf(below); next !== undefined; next = layerOf(below)) {
    if (next.guard === guard) return base;
    below = next.base;
  }
  // In the function of another there may be an adapter of ours again, called after an await.
  if (typeof below === 'function') addLayer(guard.breaker);
  return layered(base, guard);
}

function layerOf(adapter: Adapter): Layer | undefined {
  return typeof adapter === 'function' ? (adapter as { [layer]?: Layer })[layer] : undefined;
}

function layered(base: Adapter, guard: Guard, isAnswered = true): AxiosAdapter {
  const unanswered = (): AxiosAdapter => layered(base, guard, false);
  const adapter: AxiosAdapter = (config) => {
    const axios = axiosOf(guard.instance, config);
    const send = axios.adapter(base, config);
    const isLeftOut = guard.isRemoved || config.circuitBreaker === false;
    const url = isLeftOut || isCancelled(config) ? undefined : requestUrl(config, axios.plain);
    if (url === undefined) return send(config);
    const method = (config.method ?? 'get').toUpperCase();
    const request: AttemptedRequest = { method, url, config, isAnswered, unanswered };
    return guardedCall(guard, request, send, axios);
  };
  return Object.assign(adapter, { [layer]: { guard, base } });
}
