/** Upper bounds of the durations of calls, in ms: OpenTelemetry's of HTTP clients. */
export const DURATION_BOUNDS: readonly number[] = [
  5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000,
];

/** Upper bounds of the times from open to closed, in ms. */
export const RECOVERY_BOUNDS: readonly number[] = [
  1000, 5000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000,
];
