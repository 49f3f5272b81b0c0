import type {} from 'axios';

/** What the config of a request has for the breaker. */
export interface GuardedConfig {
  /**
   * False leaves the request out: no breaker that `addCircuitBreaker` set is asked, and nothing is
   * counted.
   * @default true
   */
  circuitBreaker?: boolean;
}

// CommonJS has declarations of axios of its own, which only a file of its kind reaches.
declare module 'axios' {
  interface AxiosRequestConfig extends GuardedConfig {}
}
