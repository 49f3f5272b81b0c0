import type { Check, Family } from './check.ts';
import { errorOf } from './error-of.ts';
import { guarded, success } from './guarded.ts';
import type { Room } from './room.ts';

type ReadBody = (response: Response, room: Room) => Promise<unknown>;

const waysToRead: Readonly<Record<string, ReadBody>> = {
  'by text()': async (response, room) => {
    await room.cut();
    await response.text();
  },
  'by its reader': async (response, room) => {
    const reader = response.body!.getReader();
    await reader.read();
    await room.cut();
    while (!(await reader.read()).done);
  },
  'by a clone': async (response, room) => {
    const clone = response.clone();
    await room.cut();
    await clone.text();
  },
};

/** What each says of a body that breaks off. */
const brokenOff: Readonly<Partial<Record<Family, readonly [kind: string, because: string]>>> = {
  Bun: ['reset', 'Bun says ECONNRESET before and after the headers'],
  workerd: ['network', 'workerd says “Network connection lost.” of most faults'],
  'workerd without Node.js APIs': [
    'network',
    'workerd says “Network connection lost.” of most faults',
  ],
};

const amended = (kind: string): readonly string[] => [...success, `endpoint: amended ${kind}`];

const brokenBodyChecks = Object.entries(waysToRead).map(([how, read]): Check => ({
  name: `a body that breaks off while it is read ${how} amends the success, where watched`,
  async run(room) {
    const { get, outcomes } = guarded({}, { watchBody: true });
    await errorOf(read(await get(room.url('half')), room));
    return outcomes;
  },
  expected: amended('body'),
  differs: Object.fromEntries(
    Object.entries(brokenOff).map(([family, [kind, because]]) => [
      family,
      { because, expected: amended(kind) },
    ]),
  ),
}));

export const bodyChecks: readonly Check[] = [
  ...brokenBodyChecks,
  {
    name: 'a body that breaks off is not seen where it is not watched',
    async run(room) {
      const { get, outcomes } = guarded();
      const response = await get(room.url('half'));
      await room.cut();
      await errorOf(response.text());
      return outcomes;
    },
    expected: success,
  },
  {
    name: 'a deadline that strikes in the body amends the success, where watched',
    async run(room) {
      const { get, outcomes } = guarded({}, { watchBody: true });
      const controller = new AbortController();
      const response = await get(room.url('half'), { signal: controller.signal });
      const reading = errorOf(response.text());
      // What AbortSignal.timeout does, at a moment that is known.
      controller.abort(new DOMException('too late', 'TimeoutError'));
      await reading;
      return outcomes;
    },
    expected: amended('deadline'),
  },
  {
    name: 'a caller who leaves in the body amends nothing',
    async run(room) {
      const { get, outcomes } = guarded({}, { watchBody: true });
      const controller = new AbortController();
      const response = await get(room.url('half'), { signal: controller.signal });
      const reading = errorOf(response.text());
      controller.abort();
      await reading;
      return outcomes;
    },
    expected: success,
  },
  {
    name: 'a whole body that is watched is the one that was sent, however it is read',
    async run(room) {
      const { get, outcomes } = guarded({}, { watchBody: true });
      const sent = JSON.stringify({ text: 'no more, no less; '.repeat(20_000) });
      const post = async (): Promise<Response> =>
        get(room.url('echo'), { method: 'POST', body: sent });
      const decode = (bytes: ArrayBuffer | Uint8Array): string => new TextDecoder().decode(bytes);
      const read: Readonly<Record<string, (response: Response) => Promise<string>>> = {
        text: async (response) => response.text(),
        json: async (response) => JSON.stringify(await response.json()),
        arrayBuffer: async (response) => decode(await response.arrayBuffer()),
        bytes: async (response) => decode(await response.bytes()),
        blob: async (response) => (await response.blob()).text(),
        body: async ({ body }) => new Response(body).text(),
        reader: async ({ body }) => textOf(body!.getReader()),
        clone: async (response) => {
          const clone = response.clone();
          const [text, cloned] = await Promise.all([response.text(), clone.text()]);
          return text === cloned ? text : 'the clone differs';
        },
      };
      const same: string[] = [];
      for (const [how, readAll] of Object.entries(read)) {
        if ((await readAll(await post())) === sent) same.push(how);
      }
      return { same, failures: outcomes.filter((outcome) => !outcome.includes('success')) };
    },
    expected: {
      same: ['text', 'json', 'arrayBuffer', 'bytes', 'blob', 'body', 'reader', 'clone'],
      failures: [],
    },
  },
  {
    name: 'a response that is watched is a Response of the platform’s, with its URL and headers',
    async run(room) {
      const { get } = guarded({}, { watchBody: true });
      const response = await get(room.url('200'));
      const { status, ok, url, headers, bodyUsed } = response;
      const seen = [status, ok, url === room.url('200'), headers.get('x-dependency'), bodyUsed];
      await response.text();
      const again = await errorOf(response.text());
      return [...seen, response instanceof Response, response.bodyUsed, again instanceof TypeError];
    },
    expected: [200, true, true, 'yes', false, true, true, true],
  },
];

async function textOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}
