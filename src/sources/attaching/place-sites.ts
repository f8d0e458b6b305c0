import type { Node } from "../compiler/host.ts";
import type { UseSite } from "../compiler/index.ts";
import type { Trust } from "./correspondence.ts";
import { placeByMap, type Positions } from "./place-by-map.ts";
import { placeByStructure } from "./place-by-structure.ts";
import type { Structures } from "./structure.ts";
import { unwrap, type SyntaxTree } from "./syntax-tree.ts";

/** A source, and what is known of where its parts are in an emitted file. */
export interface PlacingSource {
  readonly tree: SyntaxTree;
  readonly sites: readonly UseSite[];
  /** By the source map; `undefined` where there is none, or none that can be trusted. */
  readonly positions: Positions | undefined;
  readonly trust: Trust;
}

/** The uses of tools with their places in the emitted file, and those that are not found there. */
export interface PlacedSites {
  readonly placed: readonly UseSite[];
  readonly missing: readonly UseSite[];
}

/** Finds the uses of tools of a source in an emitted file: by the map, else by structure. */
export function placeSites(source: PlacingSource, emitted: SyntaxTree, structures: Structures): PlacedSites {
  const placed: UseSite[] = [];
  const missing: UseSite[] = [];
  for (const site of source.sites) {
    const places = placesOf(source, emitted, structures, site);
    if (places.length === 0) missing.push(site);
    for (const place of places) placed.push(siteAt(emitted, place, site));
  }
  return { placed, missing };
}

function placesOf(
  { tree, positions, trust }: PlacingSource,
  emitted: SyntaxTree,
  structures: Structures,
  site: UseSite,
): readonly Node[] {
  const expression = expressionOf(tree, site);
  if (expression === undefined) return [];
  const mapped = positions === undefined ? [] : placeByMap(tree, emitted, expression, positions, trust);
  if (mapped.length > 0) return mapped;
  const place = placeByStructure(structures, tree, emitted, expression);
  return place === undefined ? [] : [place];
}

/** The expression of a use, without what TypeScript alone reads. */
function expressionOf(tree: SyntaxTree, { start, end }: UseSite): Node | undefined {
  const node = tree.expressionsAt(start).findLast((expression) => expression.end === end);
  return node && unwrap(tree.syntax, node);
}

function siteAt({ syntax, source }: SyntaxTree, place: Node, { schemas }: UseSite): UseSite {
  const isShorthand = syntax.isShorthandPropertyAssignment(place.parent);
  return {
    start: place.getStart(source),
    end: place.end,
    shorthand: isShorthand ? place.getText(source) : undefined,
    schemas,
  };
}
