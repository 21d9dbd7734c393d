/**
 * What is imported late of the package that writes and changes YAML. It is CommonJS, and in the built program such a
 * package has no names for whoever imports it late.
 */
export {
  Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  Pair,
  parseDocument,
  Scalar,
  stringify,
  visit,
  YAMLMap,
  YAMLSeq,
} from 'yaml';
