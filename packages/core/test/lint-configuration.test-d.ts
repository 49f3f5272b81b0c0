import { expectTypeOf, test } from 'vitest';
import {
  lintConfiguration,
  type ConfigurationWarning,
  type ConfigurationWarningKind,
  type HttpCircuitBreakerOptions,
  type LintContext,
} from '../src/index.ts';

test('a configuration is looked at with what is known of client and traffic', () => {
  const context: LintContext = { timeout: 2000, callsPerSecond: 5, instances: 12 };
  const warnings = lintConfiguration({ breaker: { permitLease: 1000 } }, context);
  expectTypeOf(warnings).toEqualTypeOf<ConfigurationWarning[]>();
  expectTypeOf(lintConfiguration({})).toEqualTypeOf<ConfigurationWarning[]>();
  lintConfiguration({ level: 'host' } as const, { instances: 3 });
  // @ts-expect-error: the context is called callsPerSecond.
  lintConfiguration({}, { rps: 5 });
  // @ts-expect-error: a number of ms.
  lintConfiguration({}, { timeout: '2s' });
  // @ts-expect-error: a breaker's options stand under breaker.
  lintConfiguration({ failureRateThreshold: 40 });
});

test('a warning has one of the kinds', () => {
  const [warning] = lintConfiguration({});
  expectTypeOf(warning?.kind).toEqualTypeOf<ConfigurationWarningKind | undefined>();
  expectTypeOf<'unit'>().toExtend<ConfigurationWarningKind>();
  expectTypeOf(warning?.where).toEqualTypeOf<string | undefined>();
  // @ts-expect-error: the kind is called minimum-never-reached.
  void (warning?.kind === 'minimum-not-reached');
});

test('a configuration for one client can be looked at, too', () => {
  interface OfMyClient {
    readonly method: string;
    readonly url: string;
    readonly original: { readonly tenant: string };
  }
  const options: HttpCircuitBreakerOptions<OfMyClient> = {
    partition: ({ original }) => original.tenant,
  };
  expectTypeOf(lintConfiguration(options)).toEqualTypeOf<ConfigurationWarning[]>();
  lintConfiguration({ partition: ({ original }) => String(original) });
});
