/**
 * What can stand in a list: it holds its own links, so that it is found and taken out at no cost.
 */
export interface Linked<T> {
  older: T | undefined;
  newer: T | undefined;
}

/** A list in the order of arrival. An item stands in one list at a time. */
export class LinkedList<T extends Linked<T>> {
  oldest: T | undefined = undefined;
  newest: T | undefined = undefined;

  /** Puts it at the young end. */
  add(item: T): void {
    item.older = this.newest;
    if (this.newest === undefined) this.oldest = item;
    else this.newest.newer = item;
    this.newest = item;
  }

  has(item: T): boolean {
    return item.older !== undefined || this.oldest === item;
  }

  remove(item: T): void {
    if (!this.has(item)) return;
    const { older, newer } = item;
    if (older === undefined) this.oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.newest = older;
    else newer.older = older;
    item.older = undefined;
    item.newer = undefined;
  }
}
