import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The copy that stands in this repository, and the folder beside it that the copy was taken from. */
export const committed: URL = new URL('./resilience4j/', import.meta.url);
const beside: URL = new URL('../../../shared/conformance/resilience4j/', import.meta.url);

/** Where the tests read: the folder beside the repository where there is one, else the copy. */
export const source: URL = existsSync(beside) ? beside : committed;

export type RecordedState =
  'CLOSED' | 'OPEN' | 'HALF_OPEN' | 'METRICS_ONLY' | 'DISABLED' | 'FORCED_OPEN';
export type ErrorKind = 'net' | 'timeout' | 'readTimeout' | 'app';

export type Operation =
  | ['try' | 'acquire' | 'release' | 'start', number]
  | ['success', number, number]
  | ['error', number, number, ErrorKind]
  | ['result', number, number, string | null]
  | ['advance' | 'openFor' | 'openUntil', number]
  | [
      | 'toClosed'
      | 'toOpen'
      | 'toHalfOpen'
      | 'toMetricsOnly'
      | 'toDisabled'
      | 'toForcedOpen'
      | 'reset',
    ]
  | ['exec', number, 'return', string | null]
  | ['exec', number, 'throw', ErrorKind]
  | ['settle', number, 'return', string | null]
  | ['settle', number, 'throw', ErrorKind];

export type Answer = boolean | string | [what: 'returned' | 'threw', value: string | null];
export type RecordedEvent = [type: string, ...details: (string | number)[]];

export interface Step {
  do: Operation;
  r: Answer;
  s: RecordedState;
  m: number[];
  e?: RecordedEvent[];
  late?: true;
}

export type RecordedWait =
  | { kind: 'exponential'; initialMs: number; multiplier: number; maxMs?: number }
  | { kind: 'list'; ms: number[] };

export interface RecordedRule {
  error?: ErrorKind;
  result?: string;
  openForMs?: number;
  openUntilMs?: number;
}

export interface Configuration {
  slidingWindowType?: 'COUNT_BASED' | 'TIME_BASED';
  slidingWindowSize?: number;
  minimumNumberOfCalls?: number;
  failureRateThreshold?: number;
  slowCallRateThreshold?: number;
  slowCallDurationThresholdMs?: number;
  permittedNumberOfCallsInHalfOpenState?: number;
  waitDurationInOpenStateMs?: number;
  waitIntervalInOpenState?: RecordedWait;
  maxWaitDurationInHalfOpenStateMs?: number;
  transitionToStateAfterWaitDuration?: 'OPEN' | 'CLOSED';
  automaticTransitionFromOpenToHalfOpenEnabled?: boolean;
  initialState?: RecordedState;
  recordErrors?: (ErrorKind | 'any')[];
  ignoreErrors?: (ErrorKind | 'any')[];
  recordErrorPredicate?: ErrorKind[];
  ignoreErrorPredicate?: ErrorKind[];
  recordResults?: string[];
  transitionOn?: RecordedRule[];
}

export interface Trace {
  id: string;
  about?: string;
  start: number;
  config: Configuration;
  steps: Step[];
}

export function fileNames(folder: URL): string[] {
  return readdirSync(folder).sort();
}

export function readRecord<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, source), 'utf8')) as T;
}
