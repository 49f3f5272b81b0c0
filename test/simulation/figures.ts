/** The middle one, the higher of two; Infinity stands for "never" and comes last. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** A span of ms, as exact as it is worth. */
export function span(ms: number): string {
  if (ms === 0) return '0';
  if (ms < 950) return `${(ms / 1000).toFixed(2)} s`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 119_500) return `${(ms / 1000).toFixed(0)} s`;
  return `${(ms / 60_000).toFixed(0)} min`;
}

export function count(number: number): string {
  return number.toFixed(0).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** 0 is none at all. */
export function percent(part: number, whole: number): string {
  if (part === 0) return '0';
  const share = (100 * part) / whole;
  return `${share < 0.1 ? share.toFixed(2) : share < 9.95 ? share.toFixed(1) : share.toFixed(0)} %`;
}
