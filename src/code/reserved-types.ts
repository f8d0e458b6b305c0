/** The types of the libraries that programs are checked with. */
const ofLibraries = `
  AggregateError AggregateErrorConstructor Array ArrayBuffer ArrayBufferConstructor ArrayBufferLike ArrayBufferTypes
  ArrayBufferView ArrayConstructor ArrayIterator ArrayLike AsyncGenerator AsyncGeneratorFunction
  AsyncGeneratorFunctionConstructor AsyncIterable AsyncIterableIterator AsyncIterator AsyncIteratorObject Atomics Awaited BigInt
  BigInt64Array BigInt64ArrayConstructor BigIntConstructor BigIntToLocaleStringOptions BigUint64Array BigUint64ArrayConstructor
  Boolean BooleanConstructor BuiltinIteratorReturn CallableFunction Capitalize ClassAccessorDecoratorContext
  ClassAccessorDecoratorResult ClassAccessorDecoratorTarget ClassDecorator ClassDecoratorContext ClassFieldDecoratorContext
  ClassGetterDecoratorContext ClassMemberDecoratorContext ClassMethodDecoratorContext ClassSetterDecoratorContext ConcatArray
  ConstructorParameters DataView DataViewConstructor Date DateConstructor DecoratorContext DecoratorMetadata
  DecoratorMetadataObject Error ErrorConstructor ErrorOptions EvalError EvalErrorConstructor Exclude Extract
  FinalizationRegistry FinalizationRegistryConstructor FlatArray Float16Array Float16ArrayConstructor Float32Array
  Float32ArrayConstructor Float64Array Float64ArrayConstructor Function FunctionConstructor Generator GeneratorFunction
  GeneratorFunctionConstructor IArguments ImportAssertions ImportAttributes ImportCallOptions ImportMeta InstanceType Int16Array
  Int16ArrayConstructor Int32Array Int32ArrayConstructor Int8Array Int8ArrayConstructor Intl Iterable IterableIterator Iterator
  IteratorObject IteratorObjectConstructor IteratorResult IteratorReturnResult IteratorYieldResult JSON Lowercase Map
  MapConstructor MapIterator Math MethodDecorator NewableFunction NoInfer NonNullable Number NumberConstructor Object
  ObjectConstructor Omit OmitThisParameter ParameterDecorator Parameters Partial Pick Promise PromiseConstructor
  PromiseConstructorLike PromiseFulfilledResult PromiseLike PromiseRejectedResult PromiseSettledResult PromiseWithResolvers
  PropertyDecorator PropertyDescriptor PropertyDescriptorMap PropertyKey ProxyConstructor ProxyHandler RangeError
  RangeErrorConstructor Readonly ReadonlyArray ReadonlyMap ReadonlySet ReadonlySetLike Record ReferenceError
  ReferenceErrorConstructor Reflect RegExp RegExpConstructor RegExpExecArray RegExpIndicesArray RegExpMatchArray
  RegExpStringIterator Required ReturnType Set SetConstructor SetIterator SharedArrayBuffer SharedArrayBufferConstructor String
  StringConstructor StringIterator Symbol SymbolConstructor SyntaxError SyntaxErrorConstructor TemplateStringsArray
  ThisParameterType ThisType TypeError TypeErrorConstructor TypedPropertyDescriptor URIError URIErrorConstructor Uint16Array
  Uint16ArrayConstructor Uint32Array Uint32ArrayConstructor Uint8Array Uint8ArrayConstructor Uint8ClampedArray
  Uint8ClampedArrayConstructor Uncapitalize Uppercase WeakKey WeakKeyTypes WeakMap WeakMapConstructor WeakRef WeakRefConstructor
  WeakSet WeakSetConstructor
`;

/** What the declarations of programs have beside the types of tools. */
const ofEnvironment = "Console Missing console tools";

const keywords =
  "any bigint boolean class enum interface never null number object string symbol type undefined unknown void";

const reserved: ReadonlySet<string> = new Set(
  `${ofLibraries} ${ofEnvironment} ${keywords}`.split(/\s+/).filter((name) => name !== ""),
);

/** Whether a type of a tool cannot have this name: the check of programs has another type, or a word of the language, by it. */
export function isReservedType(name: string): boolean {
  return reserved.has(name);
}
