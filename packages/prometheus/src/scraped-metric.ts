import { Gauge, type Aggregator, type MetricObjectWithValues, type MetricValue } from 'prom-client';

export type Labels = Readonly<Record<string, string | number>>;

/** One line of a scrape. */
export interface Sample {
  readonly value: number;
  readonly labels: Labels;
  /** Labels beside those, of the breaker: one object for all its samples. */
  readonly sharedLabels: Labels;
  /** Where it is not the metric's own name, as with the buckets of a histogram. */
  readonly metricName?: string;
}

export interface MetricDescription {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How workers of a cluster are put together. */
  readonly aggregator: Aggregator;
}

interface ReadMetric extends Omit<MetricDescription, 'name'> {
  name: string;
  readonly values: readonly Sample[];
}

/**
 * A metric of any type whose samples are made as it is scraped. A `Gauge` to the compiler and to a
 * register, which asks metrics for no more than `name`, `type`, `get` and `reset`.
 */
export class ScrapedMetric extends Gauge {
  /** The name that it is registered by. A register for OpenMetrics cuts `_total` off `name`. */
  readonly registeredName: string;
  readonly type: MetricDescription['type'];
  // Declared by prom-client's class only to itself.
  declare name: string;
  readonly #description: MetricDescription;
  readonly #read: () => readonly Sample[];

  constructor(description: MetricDescription, read: () => readonly Sample[]) {
    const { name, help, aggregator, type } = description;
    super({ name, help, aggregator, registers: [] });
    this.registeredName = name;
    this.type = type;
    this.#description = description;
    this.#read = read;
  }

  /** For JSON, and for the clusters made of it. */
  override async get(): Promise<MetricObjectWithValues<MetricValue<string>>> {
    const values = this.#read().map(({ sharedLabels, labels, ...rest }) => ({
      ...rest,
      labels: { ...sharedLabels, ...labels },
    }));
    return { ...(await super.get()), values };
  }

  /**
   * For text. A register of prom-client 15 prefers it to `get`, and writes the labels of a breaker
   * out once for all samples that share them.
   */
  async getForPromString(): Promise<ReadMetric> {
    const { help, type, aggregator } = this.#description;
    return { name: this.name, help, type, aggregator, values: this.#read() };
  }
}
