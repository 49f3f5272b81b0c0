// Time is the CPU time of the whole process: what others do on the machine is not in it, what the
// collection of garbage takes on other threads is.

/** Makes so many calls, and answers how many of them ended as they should. */
export type Loop = (calls: number) => number | Promise<number>;

const WARM_UP_MS = 200;
const MEASURED_MS = 200;
const BATCH_MS = 5;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The sum is what keeps calls from being optimised away: it depends on what each returned. */
async function run(loop: Loop, calls: number): Promise<void> {
  const ended = await loop(calls);
  if (ended !== calls) throw new Error(`${ended} of ${calls} calls ended as they should`);
}

/**
 * In batches that grow until one takes long enough for the clock, and all long enough for the
 * compiler. Answers how many calls make a batch.
 */
export async function warmUp(loop: Loop): Promise<number> {
  const begun = cpuMs();
  for (let calls = 1; ;) {
    const before = cpuMs();
    await run(loop, calls);
    if (cpuMs() - before < BATCH_MS) calls *= 2;
    else if (cpuMs() - begun >= WARM_UP_MS) return calls;
  }
}

/**
 * A collection of all garbage throws compiled code away too, so the loop is warmed up once more
 * after it.
 */
export async function nsPerCall(loop: Loop): Promise<number> {
  await warmUp(loop);
  globalThis.gc!();
  const batch = await warmUp(loop);
  const begun = cpuMs();
  let calls = 0;
  for (let spent = 0; spent < MEASURED_MS; spent = cpuMs() - begun) {
    await run(loop, batch);
    calls += batch;
  }
  return ((cpuMs() - begun) / calls) * 1e6;
}

/** Of a few calls that are slow: no more of them than there is time for, but one at least. */
export async function nsPerSlowCall(loop: Loop, mostMs: number): Promise<number> {
  const begun = cpuMs();
  let calls = 0;
  for (let spent = 0; calls === 0 || spent < mostMs; spent = cpuMs() - begun) {
    await run(loop, 1);
    calls++;
  }
  return ((cpuMs() - begun) / calls) * 1e6;
}

/** Of work that needs more before and after it, which is not measured; in batches of so many. */
export function nsPerCallInBatches(
  calls: number,
  prepare: () => void,
  work: () => number,
  cleanUp: () => void,
): number {
  let spent = 0;
  let batches = 0;
  const begun = cpuMs();
  let isCollected = false;
  let isMeasured = false;
  while (spent < MEASURED_MS) {
    prepare();
    const before = cpuMs();
    const ended = work();
    const after = cpuMs();
    if (ended !== calls) throw new Error(`${ended} of ${calls} calls ended as they should`);
    cleanUp();
    if (isMeasured) {
      spent += after - before;
      batches++;
    } else if (after - begun >= 2 * WARM_UP_MS) isMeasured = true;
    else if (after - begun >= WARM_UP_MS && !isCollected) {
      isCollected = true;
      globalThis.gc!();
    }
  }
  return (spent / (batches * calls)) * 1e6;
}

export function sync(call: () => number): Loop {
  return (calls) => {
    let ended = 0;
    for (let index = 0; index < calls; index++) ended += call();
    return ended;
  };
}

export function async(call: () => Promise<number>): Loop {
  return async (calls) => {
    let ended = 0;
    for (let index = 0; index < calls; index++) ended += await call();
    return ended;
  };
}

/** Of calls that are to be refused, one after the other. */
export function rejecting(call: () => Promise<unknown>): Loop {
  return async (calls) => {
    let ended = 0;
    for (let index = 0; index < calls; index++) {
      try {
        await call();
      } catch {
        ended++;
      }
    }
    return ended;
  };
}

/** What is on the heap, and beside it for typed arrays. */
export async function usedBytes(): Promise<number> {
  for (let times = 0; times < 3; times++) {
    globalThis.gc!();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
