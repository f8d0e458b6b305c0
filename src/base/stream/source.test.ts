import { expect, test } from "vitest";
import { SourceIterator, sourceOf } from "./source.ts";

/** What is put into it, until it is closed. */
class Letters extends SourceIterator<string> {
  readonly #letters: string[] = [];
  #wake: (() => void) | undefined;
  #end: "open" | "closed" | Error = "open";

  put(...letters: readonly string[]): void {
    this.#letters.push(...letters);
    this.#wake?.();
  }

  end(how: "closed" | Error = "closed"): void {
    this.#end = how;
    this.#wake?.();
  }

  take(): string | null | undefined {
    const letter = this.#letters.shift();
    if (letter !== undefined) return letter;
    if (this.#end instanceof Error) throw this.#end;
    return this.#end === "closed" ? null : undefined;
  }

  wait(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  cancel(): void {
    this.end();
  }
}

test("requests for values are answered in their order, each with a value of its own", async () => {
  const letters = new Letters();
  const requests = [letters.next(), letters.next(), letters.next()];
  letters.put("a");
  expect(await requests[0]).toEqual({ done: false, value: "a" });
  letters.put("b");
  letters.end();
  expect(await Promise.all(requests.slice(1))).toEqual([
    { done: false, value: "b" },
    { done: true, value: undefined },
  ]);
});

test("leaving ends a request that waits, and all later ones", async () => {
  const letters = new Letters();
  const waiting = letters.next();
  letters.put();
  expect(await letters.return()).toEqual({ done: true, value: undefined });
  expect(await waiting).toEqual({ done: true, value: undefined });
  letters.put("a");
  expect(await letters.next()).toEqual({ done: true, value: undefined });
});

test("what breaks a source is thrown once, behind the values that were there", async () => {
  const letters = new Letters();
  letters.put("a");
  letters.end(new Error("broken"));
  expect(await letters.next()).toEqual({ done: false, value: "a" });
  await expect(letters.next()).rejects.toThrow("broken");
  expect(await letters.next()).toEqual({ done: true, value: undefined });
});

test("a source is read as it is, and any other iterable by its iterator", async () => {
  const letters = new Letters();
  expect(sourceOf(letters)).toBe(letters);
  const numbers = sourceOf(
    (async function* () {
      yield 1;
      throw new Error("broken");
    })(),
  );
  expect(numbers.take()).toBeUndefined();
  await numbers.wait();
  expect(numbers.take()).toBe(1);
  await numbers.wait();
  expect(() => numbers.take()).toThrow("broken");
  expect(numbers.take()).toBeNull();
});

test("an iterator that is not wanted any more is closed, and has ended", async () => {
  let isClosed = false;
  const numbers = sourceOf(
    (async function* () {
      try {
        for (;;) yield 1;
      } finally {
        isClosed = true;
      }
    })(),
  );
  await numbers.wait();
  numbers.cancel();
  expect(numbers.take()).toBeNull();
  await expect.poll(() => isClosed).toBe(true);
});

test("leaving an iterator that does not answer ends the wait for it", async () => {
  let isClosed = false;
  const silent = sourceOf<number>({
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: async () => {
        isClosed = true;
        return { done: true, value: undefined };
      },
    }),
  });
  const waiting = silent.wait();
  silent.cancel();
  await waiting;
  expect(silent.take()).toBeNull();
  expect(isClosed).toBe(true);
});
