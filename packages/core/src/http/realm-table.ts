interface Table<Value> {
  get(object: object): Value | undefined;
  set(object: object, value: Value): void;
}

const realm = globalThis as { [key: symbol]: Table<unknown> | undefined };

/**
 * A table of objects that all copies of the package in this realm share, so that what one of them
 * notes the others see. An object in it is not kept alive by it.
 */
export class RealmTable<Value> {
  readonly #key: symbol;
  #own: Table<unknown> | undefined;

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

  #publish(): Table<unknown> {
    const table = newTable();
    try {
      realm[this.#key] = table;
    } catch {
      // A frozen realm takes no more: this copy keeps it to itself.
    }
    return table;
  }
}

class Itself {
  constructor(object: object) {
    // A subclass puts its private fields on what a constructor returns.
    return object;
  }
}

/**
 * A WeakMap would do, but costs more than the whole of an admission (test/bench/parts/keys.ts): so
 * the value stands in a private field of the object itself. Nobody else can see that.
 */
function newTable(): Table<unknown> {
  const rest = new WeakMap<object, unknown>();
  return class Entry extends Itself {
    #value: unknown;

    static get(object: object): unknown {
      return #value in object ? object.#value : rest.get(object);
    }

    static set(object: object, value: unknown): void {
      try {
        const entry = #value in object ? object : (new Entry(object) as Entry);
        entry.#value = value;
      } catch {
        // An engine may keep private fields off what can't be extended.
        rest.set(object, value);
      }
    }
  };
}
