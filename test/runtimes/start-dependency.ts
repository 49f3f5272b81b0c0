import {
  closeBeforeHeaders,
  garbage,
  HalfBody,
  hang,
  redirect,
  resetBeforeHeaders,
  startServer,
  status,
  type Answer,
  type TestServer,
} from '@recloser/test-support/server';

/**
 * The server that the checks of one runtime call, and steer as they can only by requests: under
 * `/ROOM/` the query says how a request is answered, under `/-/` it names the room that is meant.
 */
export async function startDependency(): Promise<TestServer> {
  const rooms = new Map<string, RoomState>();
  const roomOf = (name: string): RoomState => {
    const room = rooms.get(name) ?? new RoomState();
    rooms.set(name, room);
    return room;
  };
  return startServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://dependency');
    const [, name, order] = pathname.split('/') as [string, string, string];
    if (name === '-') return roomOf(searchParams.get('room')!).obey(order)(request, response);
    const room = roomOf(name);
    room.arrived();
    return room.answer(name, searchParams.get('answer')!)(request, response);
  });
}

class RoomState {
  readonly #half = new HalfBody();
  #arrivals = 0;
  #awaiting: (() => void)[] = [];

  arrived(): void {
    this.#arrivals++;
    for (const tell of this.#awaiting.splice(0)) tell();
  }

  answer(room: string, answer: string): Answer {
    switch (answer) {
      case 'hang':
        return hang;
      case 'close':
        return closeBeforeHeaders;
      case 'reset':
        return resetBeforeHeaders;
      case 'garbage':
        return garbage;
      case 'half':
        return this.#half.answer;
      case 'loop':
        return redirect(`/${room}/again?answer=loop`);
      case 'redirect':
        return redirect(`/${room}/elsewhere?answer=200`);
      case 'echo':
        return (request, response) => request.pipe(response.writeHead(200, HEADERS));
      case 'wait':
        return status(503, 'not now', { 'retry-after': '120' });
      default:
        if (!/^[2-5]\d\d$/.test(answer)) return status(501, `no such answer: ${answer}`);
        return status(Number(answer), answer === '204' ? '' : `this is ${answer}`, HEADERS);
    }
  }

  obey(order: string): Answer {
    switch (order) {
      case 'sent':
        return status(200, String(this.#arrivals));
      case 'arrival':
        return (_, response) => {
          if (this.#arrivals > 0) response.end();
          else this.#awaiting.push(() => response.end());
        };
      case 'cut':
        this.#half.cut();
        return status(200);
      default:
        return status(404);
    }
  }
}

const HEADERS = { 'content-type': 'text/plain', 'x-dependency': 'yes' };
