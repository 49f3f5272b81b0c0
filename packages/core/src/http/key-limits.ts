interface HostCount {
  /** How many breakers of each partition live; those without one under the empty text. */
  readonly partitions: Map<string, number>;
  /** How many endpoints of each partition live. */
  readonly endpoints: Map<string, number>;
  /** Limits that were announced already. */
  toldEndpoints: boolean;
  toldPartitions: boolean;
}

/** Whose breaker a key is. */
export interface KeyOwner {
  readonly host: string;
  /** Undefined where it is none's. */
  readonly partition: string | undefined;
  readonly level: 'host' | 'endpoint';
  /** It takes one of the places of its host; the breaker that further endpoints share does not. */
  readonly takesPlace: boolean;
}

/**
 * Counts the living partitions and endpoints by host, so that no host and no tenant can take up the
 * room of all. What is counted is bounded by the breakers that live.
 */
export class KeyLimits {
  readonly #maxEndpoints: number;
  readonly #maxPartitions: number;
  readonly #hosts = new Map<string, HostCount>();
  readonly #owners = new Map<string, KeyOwner>();

  constructor(maxEndpointsPerHost: number, maxPartitions: number) {
    this.#maxEndpoints = maxEndpointsPerHost;
    this.#maxPartitions = maxPartitions;
  }

  admitsPartition(host: string, partition: string): boolean {
    const partitions = this.#hosts.get(host)?.partitions;
    if (partitions === undefined || partitions.has(partition)) return true;
    const named = partitions.size - (partitions.has('') ? 1 : 0);
    return named < this.#maxPartitions;
  }

  admitsEndpoint(host: string, partition: string | undefined): boolean {
    return (this.#hosts.get(host)?.endpoints.get(partition ?? '') ?? 0) < this.#maxEndpoints;
  }

  /** True once for each host and limit, as long as a breaker of that host lives. */
  isNews(host: string, limit: 'toldEndpoints' | 'toldPartitions'): boolean {
    const count = this.#hosts.get(host);
    if (count === undefined || count[limit]) return false;
    count[limit] = true;
    return true;
  }

  ownerOf(key: string): KeyOwner | undefined {
    return this.#owners.get(key);
  }

  added(key: string, owner: KeyOwner): void {
    const { host, partition, takesPlace } = owner;
    let count = this.#hosts.get(host);
    if (count === undefined) {
      const counts = {
        partitions: new Map<string, number>(),
        endpoints: new Map<string, number>(),
      };
      count = { ...counts, toldEndpoints: false, toldPartitions: false };
      this.#hosts.set(host, count);
    }
    this.#owners.set(key, owner);
    add(count.partitions, partition ?? '', 1);
    if (takesPlace) add(count.endpoints, partition ?? '', 1);
  }

  removed(key: string): void {
    const owner = this.#owners.get(key);
    const count = owner === undefined ? undefined : this.#hosts.get(owner.host);
    if (owner === undefined || count === undefined) return;
    this.#owners.delete(key);
    add(count.partitions, owner.partition ?? '', -1);
    if (owner.takesPlace) add(count.endpoints, owner.partition ?? '', -1);
    if (count.partitions.size === 0) this.#hosts.delete(owner.host);
  }
}

function add(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const next = (counts.get(name) ?? 0) + change;
  if (next === 0) counts.delete(name);
  else counts.set(name, next);
}
