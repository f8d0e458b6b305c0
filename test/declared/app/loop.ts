// Functions of packages that no call names: prints what a model is told of each.
import camelcase from "camelcase";
import { camelCase } from "change-case";
import convert from "color-convert";
import { add, differenceInDays, format, isWeekend } from "date-fns";
import dayjs from "dayjs";
import deepmerge from "deepmerge";
import escapeStringRegexp from "escape-string-regexp";
import * as jsYaml from "js-yaml";
import leftPad from "left-pad";
import lodash from "lodash";
import { chunk, kebabCase } from "lodash-es";
import ms from "ms";
import { nanoid } from "nanoid";
import Papa from "papaparse";
import picomatch from "picomatch";
import pluralize from "pluralize";
import qs from "qs";
import queryString from "query-string";
import { capitalize } from "radash";
import { clamp } from "remeda";
import semver from "semver";
import { schemaOf, type ToolFunction } from "skein";
import slugify from "slugify";
import { titleCase } from "title-case";
import { v5, validate } from "uuid";
import validator from "validator";
import YAML from "yaml";

/** The names of parameters, with a mark at those that are optional. */
function parametersIn(schema: Readonly<Record<string, unknown>>): readonly string[] {
  const required = new Set<unknown>(Array.isArray(schema["required"]) ? schema["required"] : []);
  const names = Object.keys(Object(schema["properties"]));
  return names.map((name) => (required.has(name) ? name : `${name}?`));
}

// Nothing but the values tells which functions these are.
const values: readonly unknown[] = [
  ...[
    add,
    format,
    differenceInDays,
    isWeekend,
    YAML.parse,
    YAML.stringify,
    v5,
    validate,
    lodash.chunk,
    lodash.camelCase,
  ],
  ...[
    chunk,
    kebabCase,
    semver.satisfies,
    ms,
    slugify,
    nanoid,
    validator.isEmail,
    capitalize,
    camelCase,
    camelcase,
  ],
  ...[
    qs.parse,
    qs.stringify,
    queryString.parse,
    picomatch.isMatch,
    Papa.unparse,
    convert.hex.rgb,
    escapeStringRegexp,
  ],
  ...[titleCase, pluralize, jsYaml.load, leftPad, clamp, deepmerge, dayjs],
];
const isTool = (value: unknown): value is ToolFunction => typeof value === "function";
const described = await Promise.all(
  values.filter(isTool).map(async (fn) => {
    const { name, inputSchema } = await schemaOf(fn);
    return `${name}(${parametersIn(inputSchema).join()})`;
  }),
);
console.log(JSON.stringify(described));
