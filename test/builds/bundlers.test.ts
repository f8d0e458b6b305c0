import { bundlers } from "./places/bundlers.ts";
import { tryPlaces } from "./try-places.ts";

tryPlaces(bundlers);
