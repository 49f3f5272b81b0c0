import type { CancelTimer, HttpCircuitBreaker } from '@recloser/core';
import type { AdminClock } from './admin-clock.ts';
import type { BreakerList, BreakerViews } from './breaker-views.ts';
import { isAlike } from './is-alike.ts';
import { LiveStream } from './live-stream.ts';
import type { RecentEvents } from './recent-events.ts';
import { safeJson } from './safe-json.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const LEAST_MS_BETWEEN_SENDS = 1000;
const MS_BETWEEN_LOOKS = 5000;
// Whoever lost the right to look is asked again by then: a client comes back by itself.
const MOST_MS_OF_A_STREAM = 900_000;

interface MadeList {
  readonly list: BreakerList;
  readonly bytes: Bytes;
  /** Monotonic ms. */
  readonly madeAt: number;
}

const encoder = new TextEncoder();

/** Sends what changes to all who listen. While nobody does it listens to nothing and has no timer. */
export class LiveFeed {
  readonly #breaker: HttpCircuitBreaker;
  readonly #views: BreakerViews;
  readonly #recent: RecentEvents;
  readonly #clock: AdminClock;
  readonly #streams = new Set<LiveStream>();
  #stops: readonly (() => void)[] = [];
  #cancelLook: CancelTimer | undefined;
  #cancelList: CancelTimer | undefined;
  /** Monotonic ms. */
  #eventsSentAt = -Infinity;
  #latest: MadeList | undefined;
  #isStale = false;

  constructor(
    breaker: HttpCircuitBreaker,
    views: BreakerViews,
    recent: RecentEvents,
    clock: AdminClock,
  ) {
    this.#breaker = breaker;
    this.#views = views;
    this.#recent = recent;
    this.#clock = clock;
  }

  /**
   * @param after  the id of the last event that the client has
   * @param signal  aborted when the client goes
   */
  open(after: number, signal: AbortSignal): ReadableStream<Bytes> {
    const { bytes } = this.#freshEnough() ?? this.#make(this.#views.list());
    if (this.#streams.size === 0) this.#listen();
    const end = (): void => stream.end();
    const stream = new LiveStream(this.#recent, bytes, after, this.#clock.now(), () => {
      signal.removeEventListener('abort', end);
      this.#streams.delete(stream);
      if (this.#streams.size === 0) this.#rest();
    });
    this.#streams.add(stream);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    return stream.body;
  }

  /** Ends all streams. */
  stop(): void {
    for (const stream of this.#streams) stream.cutOff();
  }

  /** So that many who come at once cost one list. */
  #freshEnough(): MadeList | undefined {
    return !this.#isStale && this.#age < LEAST_MS_BETWEEN_SENDS ? this.#latest : undefined;
  }

  /** Of the latest list, in ms. */
  get #age(): number {
    return this.#latest === undefined ? Infinity : this.#clock.now() - this.#latest.madeAt;
  }

  #listen(): void {
    this.#stops = [
      this.#breaker.on('breakerAdded', () => this.#listIsDue()),
      this.#recent.onAdded(() => {
        this.#listIsDue();
        this.#eventsAreDue();
      }),
    ];
    this.#lookLater();
  }

  #rest(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#cancelLook?.();
    this.#cancelList?.();
    this.#cancelList = undefined;
    this.#latest = undefined;
  }

  /** Not within the step of the breaker that changed something, and for many changes once. */
  #listIsDue(): void {
    this.#isStale = true;
    this.#cancelList ??= this.#clock.setTimer(
      () => this.#sendList(this.#views.list()),
      Math.max(0, LEAST_MS_BETWEEN_SENDS - this.#age),
    );
  }

  /** After the step of the breaker. Of a flood of them the others go with the next list. */
  #eventsAreDue(): void {
    const now = this.#clock.now();
    if (now - this.#eventsSentAt < LEAST_MS_BETWEEN_SENDS) return;
    this.#eventsSentAt = now;
    queueMicrotask(() => {
      for (const stream of this.#streams) stream.send();
    });
  }

  #lookLater(): void {
    this.#cancelLook = this.#clock.setTimer(() => {
      this.#lookLater();
      this.#endOldStreams();
      if (this.#streams.size > 0 && this.#cancelList === undefined) this.#look();
    }, MS_BETWEEN_LOOKS);
  }

  #look(): void {
    const list = this.#views.list();
    const isCalm = list.breakers.every(({ state }) => state === 'closed');
    if (isCalm && this.#latest !== undefined && isAlike(list, this.#latest.list)) {
      for (const stream of this.#streams) stream.offerComment();
    } else this.#sendList(list);
  }

  #sendList(list: BreakerList): void {
    // What came to light while it was made is in it.
    this.#cancelList?.();
    this.#cancelList = undefined;
    const { bytes } = this.#make(list);
    for (const stream of this.#streams) stream.offerList(bytes);
  }

  #make(list: BreakerList): MadeList {
    const bytes = encoder.encode(`event: breakers\ndata: ${safeJson(list)}\n\n`);
    const made = { list, bytes, madeAt: this.#clock.now() };
    this.#latest = made;
    this.#isStale = false;
    return made;
  }

  #endOldStreams(): void {
    const now = this.#clock.now();
    for (const stream of this.#streams) {
      if (now - stream.openedAt >= MOST_MS_OF_A_STREAM) stream.cutOff();
    }
  }
}
