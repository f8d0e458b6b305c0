import { runtimes } from "./places/runtimes.ts";
import { tryPlaces } from "./try-places.ts";

tryPlaces(runtimes);
