interface Pending<Value> {
  readonly due: number;
  readonly value: Value;
}

/** What is to happen, the earliest first: a binary heap. */
export class PendingCalls<Value> {
  readonly #heap: Pending<Value>[] = [];

  /** The instant of the earliest; Infinity where there is none. */
  get nextDue(): number {
    return this.#heap[0]?.due ?? Infinity;
  }

  add(due: number, value: Value): void {
    const heap = this.#heap;
    const entry = { due, value };
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]!.due <= due) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = entry;
  }

  /** Takes the earliest out, of which there must be one. */
  take(): Value {
    const heap = this.#heap;
    const { value } = heap[0]!;
    const last = heap.pop()!;
    if (heap.length > 0) this.#sink(last);
    return value;
  }

  #sink(entry: Pending<Value>): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]!.due < heap[child]!.due) child++;
      if (heap[child]!.due >= entry.due) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = entry;
  }
}
