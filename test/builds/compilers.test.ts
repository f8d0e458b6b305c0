import { compilers } from "./places/compilers.ts";
import { tryPlaces } from "./try-places.ts";

tryPlaces(compilers);
