import { next } from "./places/next.ts";
import { tryPlaces } from "./try-places.ts";

tryPlaces(next);
