/** Thrown on the way to an answer: it is answered instead. */
export class ErrorAnswer extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /** @param message  is sent, to those who may read */
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'ErrorAnswer';
    this.status = status;
    this.headers = headers;
  }
}
