const SLOT = 60_000;
const SLOTS = 3;

/**
 * The greatest of the last two to three minutes, as Micrometer keeps it for Prometheus: three slots
 * of a step each, https://github.com/micrometer-metrics/micrometer/issues/3298.
 */
export class RecentMaximum {
  readonly #slots: number[] = Array.from({ length: SLOTS }, () => 0);
  #latest = slotNow();

  get value(): number {
    this.#advance();
    return Math.max(...this.#slots);
  }

  observe(value: number): void {
    this.#advance();
    const slot = this.#latest % SLOTS;
    if (value > this.#slots[slot]!) this.#slots[slot] = value;
  }

  #advance(): void {
    const now = slotNow();
    for (let passed = Math.max(this.#latest, now - SLOTS) + 1; passed <= now; passed++) {
      this.#slots[passed % SLOTS] = 0;
    }
    this.#latest = now;
  }
}

function slotNow(): number {
  return Math.floor(performance.now() / SLOT);
}
