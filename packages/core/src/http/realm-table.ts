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
  #table: Table<unknown> | undefined;

  constructor(name: string) {
    this.#key = Symbol.for(`@recloser/core.${name}`);
  }

  /** Undefined for what is not in it, and for what is no object. */
  get(object: unknown): Value | undefined {
    if (typeof object !== 'object' || object === null) return undefined;
    return this.#shared().get(object) as Value | undefined;
  }

  /** Does nothing for what is no object. */
  set(object: unknown, value: Value): void {
    if (typeof object !== 'object' || object === null) return;
    this.#shared().set(object, value);
  }

  #shared(): Table<unknown> {
    return (this.#table ??= realm[this.#key] ?? this.#publish());
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
  // To ask an object for a private field that it lacks is a call into V8's runtime.
  let isEmpty = true;
  return class Entry extends Itself {
    #value: unknown;

    constructor(object: object, value: unknown) {
      super(object);
      this.#value = value;
    }

    static get(object: object): unknown {
      if (isEmpty) return undefined;
      return #value in object ? object.#value : rest.get(object);
    }

    static set(object: object, value: unknown): void {
      isEmpty = false;
      try {
        new Entry(object, value);
      } catch {
        // It is in the table already, or an engine may keep private fields off what can't be extended.
        if (#value in object) object.#value = value;
        else rest.set(object, value);
      }
    }
  };
}
