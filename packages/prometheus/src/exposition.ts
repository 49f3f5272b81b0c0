import type { Registry, RegistryContentType } from 'prom-client';
import type { BreakerSource } from './breaker-source.ts';
import type { MetricDefinition, WholeReading } from './metric-definition.ts';
import { ScrapedMetric } from './scraped-metric.ts';

/** The metrics of one set of names on one register, of all breakers that are collected there. */
export class Exposition {
  readonly #register: Registry<RegistryContentType>;
  readonly #metrics: readonly ScrapedMetric[];
  readonly #sources = new Set<BreakerSource>();
  #reading: readonly WholeReading[] | undefined;

  /** @throws Error for a name that the register has already */
  constructor(register: Registry<RegistryContentType>, definitions: readonly MetricDefinition[]) {
    this.#register = register;
    for (const { name } of definitions) {
      if (register.getSingleMetric(name) === undefined) continue;
      throw new Error(
        `collectMetrics: the register has a metric '${name}' of somebody else's; give another register`,
      );
    }
    this.#metrics = definitions.map(
      (definition) =>
        new ScrapedMetric(definition, () =>
          this.#read().flatMap((whole) => definition.read(whole)),
        ),
    );
    for (const metric of this.#metrics) register.registerMetric(metric);
  }

  /** Nobody cleared the register. Single metrics may have been taken from it. */
  get isScraped(): boolean {
    return this.#metrics.some((metric) => this.#has(metric));
  }

  get sources(): ReadonlySet<BreakerSource> {
    return this.#sources;
  }

  add(source: BreakerSource): void {
    this.#sources.add(source);
    this.#reading = undefined;
  }

  /** With the last source the metrics go. */
  remove(source: BreakerSource): void {
    source.stop();
    this.#sources.delete(source);
    this.#reading = undefined;
    if (this.#sources.size === 0) this.end();
  }

  end(): void {
    for (const source of this.#sources) source.stop();
    this.#sources.clear();
    for (const metric of this.#metrics) {
      if (this.#has(metric)) this.#register.removeSingleMetric(metric.registeredName);
    }
  }

  #has(metric: ScrapedMetric): boolean {
    return this.#register.getSingleMetric(metric.registeredName) === metric;
  }

  /** A register asks all its metrics before it awaits any of them: they share one reading. */
  #read(): readonly WholeReading[] {
    if (this.#reading === undefined) {
      this.#reading = Array.from(this.#sources, (source) => source.read());
      queueMicrotask(() => (this.#reading = undefined));
    }
    return this.#reading;
  }
}
