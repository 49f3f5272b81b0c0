/** What one message of a stream of events says. */
export interface Message {
  readonly event?: string;
  readonly id?: string;
  readonly retry?: string;
  readonly comment?: true;
  readonly data?: unknown;
}

/** Reads messages one by one; what is not asked for stays unread. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = '';

  constructor(response: Response) {
    this.#reader = response.body!.getReader();
  }

  /** Undefined at the end of the stream. */
  async next(): Promise<Message | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return parse(block);
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  /** The data of the next message of that name. */
  async nextOf<T>(event: string): Promise<T> {
    for (let message = await this.next(); message !== undefined; message = await this.next()) {
      if (message.event === event) return message.data as T;
    }
    throw new Error(`the stream ended before a message '${event}'`);
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }
}

function parse(block: string): Message {
  if (block === ':') return { comment: true };
  const fields = block.split('\n').map((line) => {
    const colon = line.indexOf(': ');
    const value = line.slice(colon + 2);
    const name = line.slice(0, colon);
    return [name, name === 'data' ? (JSON.parse(value) as unknown) : value] as const;
  });
  return Object.fromEntries(fields) as Message;
}
