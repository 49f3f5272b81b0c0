import { expectTypeOf, test } from 'vitest';
import {
  errorKind,
  errorKinds,
  getDegradation,
  isDegraded,
  markDegraded,
  reportFailure,
  type Degradation,
  type ErrorKind,
  type KindOfError,
  type SignalLike,
} from '../src/index.ts';

test('any error has a kind, and perhaps a code', () => {
  expectTypeOf(errorKind(new Error())).toEqualTypeOf<KindOfError>();
  expectTypeOf(errorKind('gone', new AbortController().signal).kind).toEqualTypeOf<ErrorKind>();
  expectTypeOf(errorKind(undefined).code).toEqualTypeOf<string | undefined>();
  expectTypeOf<(typeof errorKinds)[number]>().toEqualTypeOf<ErrorKind>();
  const signal: SignalLike = { aborted: true };
  errorKind(null, signal);
  // @ts-expect-error: a signal says whether it is aborted.
  errorKind(null, { reason: 'gone' });
  // @ts-expect-error: the kind is called deadline.
  void (errorKind(null).kind === 'timeout');
  // @ts-expect-error: the list is for reading.
  errorKinds.push('dns');
});

test('a response keeps its type as it is marked, and whatever is asked about it', () => {
  expectTypeOf(markDegraded(new Response(), new Error())).toEqualTypeOf<Response>();
  expectTypeOf(isDegraded(new Response())).toBeBoolean();
  expectTypeOf(getDegradation({})).toEqualTypeOf<Degradation | undefined>();
  expectTypeOf(getDegradation({})?.cause).toBeUnknown();
  expectTypeOf(reportFailure(new Response(), 'GraphQL errors')).toBeBoolean();
  // @ts-expect-error: it needs a reason.
  reportFailure(new Response());
  // @ts-expect-error: it needs a cause.
  markDegraded(new Response());
});
