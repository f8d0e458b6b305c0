/**
 * What modules that several test files use do around each of their tests. Such a module may be loaded once for all files of a worker:
 * hooks that it sets itself would be those of the first file alone.
 */
type Hook = () => void | Promise<void>;

const before = new Set<Hook>();
const after = new Set<Hook>();
const afterFile = new Set<Hook>();

/** Does something before each test of every file. */
export function beforeEachTest(hook: Hook): void {
  before.add(hook);
}

/** Does something after each test of every file. */
export function afterEachTest(hook: Hook): void {
  after.add(hook);
}

/** Does something after the last test of every file. */
export function afterTestFile(hook: Hook): void {
  afterFile.add(hook);
}

/** What `set-hooks.ts` does at each of these times. */
export const hooks: Readonly<Record<"beforeEach" | "afterEach" | "afterAll", () => Promise<void>>> = {
  beforeEach: () => doAll(before),
  afterEach: () => doAll(after),
  afterAll: () => doAll(afterFile),
};

async function doAll(all: ReadonlySet<Hook>): Promise<void> {
  for (const hook of all) await hook();
}
