/** One row group of the table. Each contestant runs in a process of its own, once in each round. */
export interface Part<Figure> {
  readonly title: string;
  /** What is measured, and how often in a round; they load what they need themselves. */
  readonly contestants: Contestants<Figure>;
  /** Makes the table of the figures, one for each round. */
  report(figures: Figures<Figure>): Report;
}

export type Contestants<Figure> = Readonly<Record<string, () => Figure | Promise<Figure>>>;

export type Figures<Figure> = Readonly<Record<string, readonly Figure[]>>;

export interface Report {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly targets: readonly Target[];
  /** What a reader has to know of how the figures came about. */
  readonly note?: string;
}

export interface Target {
  readonly what: string;
  readonly reach: string;
  readonly measured: string;
  readonly isMet: boolean;
  /** What can't be gone below, as measured in the same run, and why it is there. */
  readonly floor?: string;
}
