const realm = globalThis as { [key: symbol]: WeakMap<object, unknown> | undefined };

/**
 * A table of objects that all copies of the package in this realm share, so that what one of them
 * notes the others see.
 */
export class RealmTable<Value> {
  readonly #key: symbol;
  #own: WeakMap<object, unknown> | undefined;

  constructor(name: string) {
    this.#key = Symbol.for(`@recloser/core.${name}`);
  }

  /** Undefined for what is not in it, and for what is no object. */
  get(object: unknown): Value | undefined {
    if (typeof object !== 'object' || object === null) return undefined;
    return (realm[this.#key] ?? this.#own)?.get(object) as Value | undefined;
  }

  /** Does nothing for what is no object. */
  set(object: unknown, value: Value): void {
    if (typeof object !== 'object' || object === null) return;
    const table = realm[this.#key] ?? (this.#own ??= this.#publish());
    table.set(object, value);
  }

  #publish(): WeakMap<object, unknown> {
    const table = new WeakMap<object, unknown>();
    try {
      realm[this.#key] = table;
    } catch {
      // A frozen realm takes no more: this copy keeps it to itself.
    }
    return table;
  }
}
