import type {
  ControlAction,
  ControlReason,
  ControlResult,
  ControlSpan,
  HttpCircuitBreaker,
} from '@recloser/core';
import { shown } from '@recloser/core/adapter';
import { ErrorAnswer } from './error-answer.ts';

/** An operator's order, as a body has it. */
export interface ControlOrder {
  readonly action: ControlAction;
  readonly pattern: string;
  readonly reason: string;
  readonly for?: number;
  readonly until?: Date;
}

const actions: Readonly<Record<ControlAction, true>> = {
  forceOpen: true,
  open: true,
  close: true,
  halfOpen: true,
  disable: true,
  metricsOnly: true,
  reset: true,
  handBack: true,
};
const actionNames = Object.keys(actions);
const fields = ['action', 'pattern', 'reason', 'for', 'until'];

// A date without a zone would be one of wherever the server stands.
const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/** @throws ErrorAnswer that names what is wrong with it */
export function parseControlOrder(text: string): ControlOrder {
  const body = parseObject(text);
  const unknown = Object.keys(body).filter((name) => !fields.includes(name));
  if (unknown.length > 0) {
    const names = unknown.map(shown).join(', ');
    throw wrong(`not known: ${names}; known are ${fields.join(', ')}`);
  }
  const { action, pattern, reason, for: span, until } = body;
  if (typeof action !== 'string' || !actionNames.includes(action)) {
    throw wrong(`action must be one of ${actionNames.join(', ')}, but is ${shown(action)}`);
  }
  return {
    action: action as ControlAction,
    pattern: checkText('pattern', pattern),
    reason: checkText('reason', reason),
    ...(span !== undefined && { for: checkSpan(span) }),
    ...(until !== undefined && { until: checkDate(until) }),
  };
}

/** @throws ErrorAnswer with the words in which the breaker refuses it */
export function carryOut(breaker: HttpCircuitBreaker, order: ControlOrder): ControlResult {
  const { action, pattern, ...options } = order;
  try {
    // Whether an action takes an end, or needs one, it says itself.
    return breaker.control(pattern)[action](options as ControlReason & ControlSpan);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError)
      throw wrong(inWordsOfJson(error.message));
    throw error;
  }
}

/** There is no Date in JSON. */
function inWordsOfJson(message: string): string {
  return message.replace(/\buntil(, | must be )a Date\b/, 'until$1an ISO date with its zone');
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw wrong('the body must be JSON');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw wrong(`the body must be an object, but is ${shown(body)}`);
  }
  return body as Readonly<Record<string, unknown>>;
}

function checkText(name: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw wrong(`${name} must be a string that is not empty, but is ${shown(value)}`);
}

function checkSpan(value: unknown): number {
  if (typeof value === 'number') return value;
  throw wrong(`for must be a number of ms, but is ${shown(value)}`);
}

function checkDate(value: unknown): Date {
  if (typeof value === 'string' && isoDate.test(value)) return new Date(value);
  throw wrong(`until must be an ISO date with its zone, but is ${shown(value)}`);
}

function wrong(message: string): ErrorAnswer {
  return new ErrorAnswer(400, message);
}
