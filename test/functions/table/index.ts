import type { Theme } from "../row.ts";
import { arrays, tuples } from "./arrays-and-tuples.ts";
import { branded } from "./branded.ts";
import { classes } from "./classes.ts";
import { constraintsOnParameters } from "./constraints-on-parameters.ts";
import { constraintsOnProperties } from "./constraints-on-properties.ts";
import { bigints, dates } from "./dates-and-bigints.ts";
import { destructuring } from "./destructuring.ts";
import { diagnostics, sourceless } from "./diagnostics.ts";
import { discriminatedUnions } from "./discriminated-unions.ts";
import { google, numpy } from "./google-and-numpy-comments.ts";
import { tsdoc } from "./tsdoc-comments.ts";
import { dynamic } from "./dynamic-functions.ts";
import { enums } from "./enums.ts";
import { epydoc, restructuredText } from "./rest-and-epydoc-comments.ts";
import { generics } from "./generics.ts";
import { imports } from "./imports.ts";
import { intersections } from "./intersections.ts";
import { javascript } from "./jsdoc-javascript.ts";
import { closures, functions, methods } from "./kinds-of-functions.ts";
import { literals } from "./literals.ts";
import { unions } from "./unions.ts";
import { conditionalTypes, mappedTypes } from "./mapped-and-conditional.ts";
import { maps, sets } from "./maps-and-sets.ts";
import { byteArrays, urls } from "./urls-and-bytes.ts";
import { namespaces } from "./namespaces.ts";
import { objects } from "./objects.ts";
import { defaults, optionals } from "./optional-and-defaults.ts";
import { outputs } from "./output-schemas.ts";
import { serialised } from "./serialised-results.ts";
import { partlyExpressible } from "./partly-expressible.ts";
import { primitives } from "./primitives.ts";
import { records } from "./records-and-index-signatures.ts";
import { recursion } from "./recursion.ts";
import { rest } from "./rest.ts";
import { templateLiterals } from "./template-literals.ts";
import { toolContext } from "./tool-context.ts";
import { toolkits } from "./toolkits.ts";
import { utilityTypes } from "./utility-types.ts";
import { refusedWrappers } from "./refused-wrappers.ts";
import { wrappers } from "./wrappers.ts";
import { inexpressibleParts } from "./inexpressible-parts.ts";

/** What becomes a tool: everywhere, in development and built. */
export const themes: readonly Theme[] = [
  primitives,
  literals,
  unions,
  enums,
  arrays,
  tuples,
  objects,
  records,
  optionals,
  defaults,
  destructuring,
  rest,
  generics,
  utilityTypes,
  mappedTypes,
  conditionalTypes,
  templateLiterals,
  branded,
  recursion,
  discriminatedUnions,
  intersections,
  classes,
  dates,
  bigints,
  maps,
  sets,
  urls,
  byteArrays,
  imports,
  namespaces,
  javascript,
  tsdoc,
  google,
  numpy,
  restructuredText,
  epydoc,
  constraintsOnParameters,
  constraintsOnProperties,
  toolContext,
  functions,
  methods,
  closures,
  toolkits,
  wrappers,
  outputs,
  serialised,
  partlyExpressible,
];

/** What is described, or refused, as the program runs; a build says of each that it cannot see it or that it has no schema. */
export const developed: readonly Theme[] = [
  dynamic,
  diagnostics,
  sourceless,
  refusedWrappers,
  inexpressibleParts,
];
