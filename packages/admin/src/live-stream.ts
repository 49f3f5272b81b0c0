import type { RecentEvents } from './recent-events.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const RETRY = encoder.encode('retry: 2000\n\n');
const COMMENT = encoder.encode(':\n\n');

/**
 * What one client is sent. Nothing is made for it before it has read what came before: one that does
 * not read gets the newest list when it reads on, and of the events those that are still kept.
 */
export class LiveStream {
  readonly body: ReadableStream<Bytes>;
  readonly openedAt: number;
  readonly #recent: RecentEvents;
  readonly #onEnd: (stream: LiveStream) => void;
  #controller: ReadableStreamDefaultController<Bytes> | undefined;
  #preface: Bytes | undefined = RETRY;
  #list: Bytes | undefined;
  #latestId: number;
  #owesComment = false;

  /** @param after  the id of the last event that the client has */
  constructor(
    recent: RecentEvents,
    list: Bytes,
    after: number,
    openedAt: number,
    onEnd: (stream: LiveStream) => void,
  ) {
    this.#recent = recent;
    this.#list = list;
    this.#latestId = after;
    this.openedAt = openedAt;
    this.#onEnd = onEnd;
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.send(),
      cancel: () => this.end(),
    });
  }

  /** A newer list takes the place of one that was not sent. */
  offerList(list: Bytes): void {
    this.#list = list;
    this.send();
  }

  /** Shows those between that somebody is there, and the client's absence to this side. */
  offerComment(): void {
    this.#owesComment = true;
    this.send();
  }

  /** Sends what there is, as far as the client reads. */
  send(): void {
    const controller = this.#controller;
    while (controller !== undefined && (controller.desiredSize ?? 0) > 0) {
      const next = this.#next();
      if (next === undefined) return;
      controller.enqueue(next);
    }
  }

  end(): void {
    const controller = this.#controller;
    if (controller === undefined) return;
    this.#controller = undefined;
    try {
      controller.close();
    } catch {
      // It was cancelled, or cut off.
    }
    this.#onEnd(this);
  }

  /** Ends it also for a client that does not read, and would else keep what it was sent for ever. */
  cutOff(): void {
    const controller = this.#controller;
    const isRead = (controller?.desiredSize ?? 0) > 0;
    if (!isRead) controller?.error(new Error('the client does not read'));
    this.end();
  }

  #next(): Bytes | undefined {
    const first = this.#preface ?? this.#list;
    if (first !== undefined) {
      if (first === this.#preface) this.#preface = undefined;
      else this.#list = undefined;
      this.#owesComment = false;
      return first;
    }
    const events = this.#recent.after(this.#latestId);
    if (events.length > 0) {
      this.#latestId = this.#recent.latestId;
      const texts = events.map(({ id, json }) => `event: recent\nid: ${id}\ndata: ${json}\n\n`);
      return encoder.encode(texts.join(''));
    }
    if (!this.#owesComment) return undefined;
    this.#owesComment = false;
    return COMMENT;
  }
}
