import { readFileSync } from 'node:fs';
import { format } from 'prettier';
import { asCode, entry, shownDefault, unitOf } from './options-page-entry.ts';
import { readOptions, readUnion, type DeclaredOption } from './options-page-reader.ts';
import { showWarnings } from './options-page-warnings.ts';
import * as wrong from './options-page-wrong-values.ts';

/** The options of one interface. */
interface Kind {
  readonly options: readonly DeclaredOption[];
  readonly wrong: wrong.WrongOptions;
  readonly headingOf: (name: string) => string;
}

const breakers = 'core/src/breaker/options.ts';
const http = 'core/src/http/http-options.ts';
const named: Readonly<Record<string, readonly string[]>> = {
  Level: readUnion(http, 'Level'),
  On: readUnion('core/src/http/fallback-options.ts', 'FallbackOn'),
  CircuitBreakerState: readUnion('core/src/breaker/state.ts', 'CircuitBreakerState'),
};
const overHttp = readOptions('core/src/http/http-breaker-options.ts', 'HttpBreakerOptions');
const control = ['ControlReason', 'ControlSpan', 'ControlDate'].flatMap((name) =>
  readOptions('core/src/http/control-types.ts', name).filter(({ type }) => type !== 'never'),
);

/** By the name that the template has. */
export const kinds: Readonly<Record<string, Kind>> = {
  CircuitBreakerOptions: kind(readOptions(breakers, 'CircuitBreakerOptions'), wrong.ofBreaker),
  GrowingWait: kind(
    readOptions('core/src/breaker/wait-duration.ts', 'GrowingWait'),
    wrong.ofWait,
    'waitDurationInOpenState',
  ),
  HttpCircuitBreakerOptions: {
    ...kind(readOptions(http, 'HttpCircuitBreakerOptions'), wrong.ofHttp),
    // The heading of a breaker's own is taken.
    headingOf: (name) => (name === 'clock' ? 'HttpCircuitBreaker: clock' : name),
  },
  Override: kind(readOptions(http, 'Override'), wrong.ofOverride, 'overrides'),
  FallbackOptions: kind(
    readOptions('core/src/http/fallback-options.ts', 'FallbackOptions'),
    wrong.ofFallback,
  ),
  WrapFetchOptions: kind(readOptions('fetch/src/options.ts', 'WrapFetchOptions'), wrong.ofFetch),
  GotBreakerOptions: kind(readOptions('got/src/options.ts', 'GotBreakerOptions'), wrong.ofGot),
  DefineRulesOptions: kind(
    readOptions('core/src/http/outcome-rules.ts', 'DefineRulesOptions'),
    wrong.ofRules,
    'defineRules',
  ),
  BreakerRegistryOptions: kind(
    readOptions('core/src/registry/breaker-registry.ts', 'BreakerRegistryOptions'),
    wrong.ofRegistry,
    'BreakerRegistry',
  ),
  ControlOptions: kind(control, wrong.ofControl, 'control'),
  LintContext: kind(
    readOptions('core/src/http/lint-configuration.ts', 'LintContext'),
    wrong.ofLint,
    'lintConfiguration',
  ),
};

function kind(
  declared: readonly DeclaredOption[],
  wrongOptions: wrong.WrongOptions,
  prefix?: string,
): Kind {
  const headingOf = (name: string) => (prefix === undefined ? name : `${prefix}: ${name}`);
  const options = declared.map((option) => {
    const words = named[option.type]?.map((word) => `'${word}'`).join(' | ');
    return { ...option, type: words ?? option.type };
  });
  return { options, wrong: wrongOptions, headingOf };
}

/** The text of docs/options.md. */
export async function optionsPage(): Promise<string> {
  const template = readFileSync(new URL('options-page-template.md', import.meta.url), 'utf8');
  const text = template.replaceAll(
    /<!-- (\w+)(?:: ([\w$, ]+))? -->/g,
    (_, name: string, options?: string) => filledIn(name, options?.split(', ')),
  );
  return await format(text, { parser: 'markdown', printWidth: 100, singleQuote: true });
}

function filledIn(name: string, options: readonly string[] | undefined): string {
  if (name === 'defaults') return defaultsTable();
  if (name === 'warnings') return warnings();
  const { wrong: wrongOptions, headingOf, ...declared } = kinds[name]!;
  return (options ?? declared.options.map((option) => option.name))
    .map((wanted) => {
      const option = declared.options.find((candidate) => candidate.name === wanted)!;
      const facts = name === 'CircuitBreakerOptions' ? overHttpOf(wanted) : [];
      return entry(headingOf(wanted), option, wrongOptions, facts);
    })
    .join('\n\n');
}

/** A breaker's own options that are no options of `breaker`: the rules say it, or all share one. */
export const notOverHttp: readonly string[] = [
  'recordErrors',
  'ignoreErrors',
  'recordResult',
  'transitionOnResult',
  'clock',
];

/** The default of endpoints and that of hosts, where HTTP has its own. */
export function httpDefaultsOf(name: string): readonly [string, string] | undefined {
  const text = overHttp.find((option) => option.name === name)?.byDefault;
  if (text === undefined) return undefined;
  const [endpoints = '', hosts = endpoints] = text.split('; hosts ');
  return [shownDefault(endpoints), shownDefault(hosts)];
}

function overHttpOf(name: string): string[] {
  if (notOverHttp.includes(name)) {
    return name === 'clock' ? [] : ['Over HTTP: not there, since the rules say what counts.'];
  }
  const [endpoints, hosts] = httpDefaultsOf(name) ?? [];
  if (endpoints === undefined) return [];
  const [, ...reasons] = overHttp.find((option) => option.name === name)!.paragraphs;
  const values = endpoints === hosts ? endpoints : `${endpoints}, for hosts ${hosts}`;
  return [`Over HTTP: ${values}. ${reasons.join(' ')}`.trim()];
}

function defaultsTable(): string {
  const rows = kinds['CircuitBreakerOptions']!.options.map((option) => {
    const { name, byDefault = '' } = option;
    // What comes after a colon is told below.
    const own = shownDefault(byDefault.replace(/^(the \S+): .*$/, '$1'));
    const beside = notOverHttp.includes(name) ? (['', ''] as const) : ([own, own] as const);
    const [endpoints, hosts] = httpDefaultsOf(name) ?? beside;
    const cells = [`[\`${name}\`](#${name.toLowerCase()})`, unitOf(option) ?? '', own];
    return `| ${[...cells, endpoints, hosts].join(' | ')} |`;
  });
  const titles = '| option | unit | bare breaker | over HTTP: endpoints | over HTTP: hosts |';
  return [titles, '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

function warnings(): string {
  return showWarnings()
    .map(({ kind: name, options, context, messages }) => {
      const given = [options, ...(context === undefined ? [] : [context])].map(asCode).join(', ');
      const found = messages.map(({ where, message }) =>
        message.startsWith(where) ? `- ${message}` : `- \`${where}\`: ${message}`,
      );
      return [`### ${name}`, `\`lintConfiguration(${given})\` finds:`, found.join('\n')].join(
        '\n\n',
      );
    })
    .join('\n\n');
}
