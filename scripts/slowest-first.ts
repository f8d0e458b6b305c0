/** The order of the long suite: what takes minutes begins first, so that no worker is left alone with it at the end. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Where such files are, the slowest folder first. */
const slow: readonly string[] = [
  "test/builds/",
  "test/docs.test.ts",
  "test/functions/",
  "test/bundlers/",
  "test/long/",
  "test/attach/",
  "test/examples/",
];

/** How late a file begins: its place among the slow ones, or after them. */
function rankOf({ moduleId }: TestSpecification): number {
  const place = slow.findIndex((path) => moduleId.includes(`/${path}`));
  return place < 0 ? slow.length : place;
}

/** Orders files by how slow they are. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
