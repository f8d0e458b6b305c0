/** A name with what it belongs to; one without an owner is another's for everybody. */
export type OwnedName = readonly [name: string, owner?: string];

/** Whose name it is that is compared. */
export interface NameOwner {
  readonly owner?: string;
  /** What the name begins with, as the document itself says: `filter` of `filter[role]`. */
  readonly root?: string;
}

/** Whether a server could take a name for one of a list, its owner's own aside. */
export type NameClash = (name: string, own?: NameOwner) => boolean;

/** Gathers names once for all that are compared with them, when the first one is: there may be thousands of both. */
export function clashWith(names: readonly OwnedName[]): NameClash {
  let index: NameIndex | undefined;
  return (name, { owner, root } = {}) => {
    const { exact, whole, starts } = (index ??= indexOf(names));
    const isOther = (owners: Owners, key: string): boolean =>
      owners.has(key) && (owners.get(key) === undefined || owners.get(key) !== owner);
    if (isOther(exact, name)) return true;
    const rootLengths = root === undefined ? [] : readings(root).map(({ length }) => length);
    return readings(name).some((path, reading) => {
      const beyondRoot = startsOf(path).slice(rootLengths[reading] ?? 0);
      const last = beyondRoot.at(-1);
      return beyondRoot.some((key) => isOther(whole, key)) || (last !== undefined && isOther(starts, last));
    });
  };
}

/** Whether a server could find no name in it. */
export function isNameless(name: string): boolean {
  return readings(name).some(([first]) => first === "");
}

/** The one owner of a name; `undefined` if there are several, or none. */
type Owners = Map<string, string | undefined>;

interface NameIndex {
  readonly exact: Owners;
  readonly whole: Owners;
  /** What the names begin with. */
  readonly starts: Owners;
}

function indexOf(names: readonly OwnedName[]): NameIndex {
  const index: NameIndex = { exact: new Map(), whole: new Map(), starts: new Map() };
  const add = (owners: Owners, key: string, owner: string | undefined): void => {
    owners.set(key, !owners.has(key) || owners.get(key) === owner ? owner : undefined);
  };
  for (const [name, owner] of names) {
    add(index.exact, name, owner);
    for (const path of readings(name)) {
      const keys = startsOf(path);
      for (const [at, key] of keys.entries())
        add(at === keys.length - 1 ? index.whole : index.starts, key, owner);
    }
  }
  return index;
}

/** The steps of a name as servers compare them: `role[]` and `role.name` are of `role`, and `api.key` is `api_key`, too. */
function readings(name: string): readonly (readonly string[])[] {
  return [pathOf(name, "["), pathOf(name, /[.[]/)];
}

/** How many steps of a name are compared. */
const mostSteps = 50;

/** Some servers ignore case, and read `api.key` and `api key` as `api_key`. */
function pathOf(name: string, separator: string | RegExp): readonly string[] {
  const [first = "", ...rest] = name
    .normalize("NFKC")
    .toLowerCase()
    .split(separator)
    .map((step) => step.replaceAll(/[^\p{L}\p{N}]/gu, ""));
  return [first, ...rest.filter((step) => step !== "")].slice(0, mostSteps);
}

/** A path's starts, the shortest first. */
function startsOf(path: readonly string[]): readonly string[] {
  return path.map((_step, at) => path.slice(0, at + 1).join("["));
}
