import type { DeclaredOption } from './options-page-reader.ts';
import type { WrongOptions } from './options-page-wrong-values.ts';

/** A default as a table shows it: code where it is a value, words as they are. */
export function shownDefault(text: string): string {
  return /^('.*'|\d[\d_]*(\.\d+)?|true|false|\{.*\})$/.test(text) ? `\`${text}\`` : text;
}

const units: readonly (readonly [RegExp, string])[] = [
  [/\bseconds\b.*\bcalls\b|\bcalls\b.*\bseconds\b/i, 'calls or seconds'],
  [/^percent\b/i, 'percent'],
  [/^each wait is .* times\b/i, 'times'],
  [/^calls a second\b/i, 'calls a second'],
  [/\bms\b/i, 'ms'],
  [/\bso many failures\b/i, 'failures'],
  [/\bmost (breakers|endpoints|partitions)\b/i, '$1'],
  [/\bshare\b/i, 'a share'],
  [/\binstances\b/i, 'instances'],
  [/\bcalls\b/i, 'calls'],
];

/** What a number of this option counts, as its comment says it. */
export function unitOf({ type, paragraphs: [meaning = ''] }: DeclaredOption): string | undefined {
  if (type !== 'number' && type !== 'WaitDuration') return undefined;
  for (const [words, unit] of units) {
    const found = words.exec(meaning);
    if (found !== null) return unit.replace('$1', found[1] ?? '');
  }
  return undefined;
}

/** An option under a heading of its own, with what its wrong values do. */
export function entry(
  heading: string,
  option: DeclaredOption,
  wrong: WrongOptions,
  facts: readonly string[] = [],
): string {
  const unit = unitOf(option);
  const isLong = option.type.length > 70 && option.type.includes('=>');
  const type = isLong ? 'a function' : `\`${option.type}\``;
  const byDefault = option.byDefault === undefined ? '' : shownDefaults(option.byDefault);
  const first = [`Type: ${type}${unit === undefined ? '' : `, ${unit}`}.${byDefault}`, ...facts];
  return [
    `### ${heading}`,
    ...option.paragraphs,
    [...first, ...errorsOf(option.name, wrong)].map((line) => `- ${line}`).join('\n'),
  ].join('\n\n');
}

function shownDefaults(text: string): string {
  return ` Default: ${text.split('; ').map(shownPart).join('; ')}.`;
}

function shownPart(text: string): string {
  const [, whose = '', value = text] = /^(hosts )(.*)$/.exec(text) ?? [];
  return `${whose}${shownDefault(value)}`;
}

/** What the code itself says of each wrong value. */
function errorsOf(name: string, { take, values }: WrongOptions): string[] {
  const wrong = values[name];
  if (wrong === undefined) throw new TypeError(`no wrong value of ${name} is known`);
  return wrong.map((options) => `\`${asCode(options)}\` throws \`${errorOf(take, options)}\``);
}

function errorOf(take: WrongOptions['take'], options: object): string {
  try {
    take(options as never);
  } catch (error) {
    return String(error);
  }
  throw new TypeError(`${asCode(options)} is not wrong`);
}

/** A value of plain data, as it is written in code. */
export function asCode(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'number') return String(value).replace(/(?<=\d{2})(?=\d{3}$)/, '_');
  if (Array.isArray(value)) return `[${value.map(asCode).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${asCode(field)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
