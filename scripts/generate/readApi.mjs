/**
 * Reads the public names of the entries with the TypeScript compiler: what a class, its methods and a function are
 * called, take and return, and what their docstrings say. The docstrings and the option tables are the only homes of
 * these facts; nothing is written down a second time for the documents.
 */
import { dirname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { checkUse, meaningOf } from './parameters.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Entries by the file that lists their names. */
const ENTRIES = {
  cvkit: 'src/index.ts',
  'cvkit/stats': 'src/stats/index.ts',
  'cvkit/preprocessing': 'src/preprocessing/index.ts',
  'cvkit/estimators': 'src/estimators/index.ts',
  'cvkit/tuning': 'src/tuning/index.ts',
  'cvkit/adapters/onnx': 'adapters/onnx/index.ts',
  'cvkit/table': 'src/table/index.ts',
  'cvkit/node': 'src/node/index.ts',
  'cvkit/bullmq': 'src/bullmq/index.ts',
};

/** Entries that the reference for people has alone. */
const MORE_ENTRIES = {
  'cvkit/plot': 'src/plot/index.ts',
  'cvkit/adapters/tfjs': 'adapters/tfjs/index.ts',
  'cvkit/adapters/estimator': 'adapters/estimator/index.ts',
  'cvkit/testing': 'test/conformance/index.ts',
};

/**
 * @returns the public API: classes, functions and interfaces in the order of their entry; as `more` those of entries that the
 *   documents for machines leave out; as `metricDocs` the docstrings of metrics by name
 */
export function readApi() {
  const program = sources();
  const checker = program.getTypeChecker();
  const source = (path) => program.getSourceFile(`${ROOT}${path}`);
  const read = reader(checker);
  const namesOf = (entries) => {
    const names = Object.entries(entries)
      .flatMap(([from, path]) =>
        publicNames(checker, source(path))
          .filter(isShown)
          .map((each) => ({ ...each, from })),
      )
      // Of two entries the first is its home.
      .filter(({ symbol }, at, all) => all.findIndex((each) => each.symbol === symbol) === at);
    const of = (flag) => names.filter(({ symbol }) => symbol.flags & flag);
    return {
      classes: of(ts.SymbolFlags.Class).map(read.classOf),
      functions: names.filter(({ symbol }) => isFunction(symbol)).flatMap(read.functionsOf),
      values: of(ts.SymbolFlags.Variable)
        .filter(({ symbol }) => !isFunction(symbol))
        .map(read.valueOf),
      interfaces: of(ts.SymbolFlags.Interface).map(read.interfaceOf),
      aliases: of(ts.SymbolFlags.TypeAlias).flatMap(read.aliasOf),
    };
  };
  const api = {
    ...namesOf(ENTRIES),
    more: namesOf(MORE_ENTRIES),
    intervalMethods: read.intervalMethods(source('src/intervals/registry.ts')),
    metricDocs: read.metricDocs(program.getSourceFiles().filter(({ fileName }) => isMetrics(fileName))),
  };
  checkUse();
  return api;
}

/** `@hidden` at the declaration: exported for other files alone. */
const isShown = ({ symbol }) => !symbol.declarations.some(taggedHidden);

const isMetrics = (path) => relative(ROOT, path).split(sep).join('/').startsWith('src/metrics/');

/** The sources alone: types are quoted as they are written, so neither packages nor the platform's types are loaded. */
function sources() {
  const path = `${ROOT}tsconfig.json`;
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path));
  const ours = { ...options, noLib: true, types: [] };
  const host = ts.createCompilerHost(ours);
  const { fileExists } = host;
  host.fileExists = (file) => !relative(ROOT, file).startsWith('node_modules') && fileExists(file);
  const { getSourceFile } = host;
  const picks = `${ROOT}picks.d.ts`;
  host.getSourceFile = (file, ...rest) =>
    file === picks ? ts.createSourceFile(file, PICKS, ...rest) : getSourceFile.call(host, file, ...rest);
  const rootNames = [...Object.values({ ...ENTRIES, ...MORE_ENTRIES }).map((path) => `${ROOT}${path}`), picks];
  return ts.createProgram({ rootNames, options: ours, host });
}

/** All of the library that the types of fields need. */
const PICKS = `
type Pick<T, K extends keyof T> = { [P in K]: T[P] };
type Exclude<T, U> = T extends U ? never : T;
type Omit<T, K extends keyof any> = Pick<T, Exclude<keyof T, K>>;
`;

/** Exported symbols with their aliases; a name is the alias of the one that its declaration bears. */
function publicNames(checker, file) {
  const found = new Map();
  const specifiers = new Map();
  for (const exported of checker.getExportsOfModule(checker.getSymbolAtLocation(file))) {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    found.set(symbol, [...(found.get(symbol) ?? []), exported.name]);
    specifiers.set(symbol, exported.declarations[0]);
  }
  return [...found].map(([symbol, names]) => ({
    symbol,
    name: names.includes(symbol.name) ? symbol.name : names[0],
    aliases: names.filter((name) => name !== symbol.name).sort(),
    typeOnly: isTypeOnly(specifiers.get(symbol)),
    place: symbol.declarations[0].getSourceFile().fileName,
  }));
}

const isTypeOnly = (specifier) => specifier.isTypeOnly || specifier.parent?.parent?.isTypeOnly === true;

function isFunction(symbol) {
  const [declaration] = symbol.declarations;
  const initializer = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  return ts.isFunctionDeclaration(declaration) || (initializer !== undefined && ts.isArrowFunction(initializer));
}

function reader(checker) {
  const textOf = (symbol) => clean(ts.displayPartsToString(symbol.getDocumentationComment(checker)));

  /** A whole docstring: its paragraphs and the texts of its tags. `node` is a symbol or a signature. */
  function docOf(node) {
    const tags = node.getJsDocTags(checker);
    const of = (name) => tags.filter((tag) => tag.name === name).map(({ text }) => ts.displayPartsToString(text));
    return {
      paragraphs: paragraphsOf(ts.displayPartsToString(node.getDocumentationComment(checker))),
      throws: of('throws').map((each) => plainLinks(flat(each))),
      examples: of('example').map((each) => each.trim()),
      returns: plainLinks(flat(of('returns').join(' '))),
    };
  }

  /** A parameter; `options` is the owner of the option table when its type is derived from one. */
  function parameter(symbol) {
    const [declaration] = symbol.declarations;
    const written = declaration.type && withoutGenerics(declaration.type);
    const type = written ? written.getText() : checker.typeToString(checker.getTypeAtLocation(declaration));
    const owner = written && ownerOfTable(written);
    return {
      name: nameOf(declaration),
      type: typeName(type),
      optional: declaration.initializer !== undefined || declaration.questionToken !== undefined,
      rest: declaration.dotDotDotToken !== undefined,
      description: textOf(symbol) || meaningOf(nameOf(declaration)),
      ...(owner === undefined ? {} : { table: owner }),
      ...(declaration.type && ts.isTypeLiteralNode(declaration.type) ? { parts: partsOf(declaration) } : {}),
    };
  }

  /** Options that a signature takes apart itself, `{ perEpoch = false }: { perEpoch?: boolean }`. */
  function partsOf({ name, type }) {
    return type.members.map((member) => {
      const element = name.elements?.find((each) => (each.propertyName ?? each.name).text === member.name.text);
      return {
        name: member.name.text,
        type: flat(member.type.getText()),
        optional: member.questionToken !== undefined,
        description: textOf(member.symbol) || meaningOf(member.name.text),
        ...(element?.initializer ? { default: literal(element.initializer) } : {}),
      };
    });
  }

  const symbolOf = (node) => {
    const symbol = checker.getSymbolAtLocation(node);
    return symbol?.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  };

  /** `RunOptions` for `Drying<Typing<RunOptions, M, P, K>, D>`: the other parameters type the result alone. */
  function withoutGenerics(typeNode) {
    const [first] = (ts.isTypeReferenceNode(typeNode) && typeNode.typeArguments) || [];
    if (!first) return typeNode;
    const within = withoutGenerics(first);
    return ownerOfTable(within) !== undefined ? within : typeNode;
  }

  /** What a generic signature gives, without parameters that may be left out. */
  function withoutDefaults(typeNode) {
    if (!ts.isTypeReferenceNode(typeNode) || !typeNode.typeArguments) return typeText(typeNode);
    const name = typeNode.typeName.getText();
    // What `dryRun` gives, its option says.
    if (name === 'OrDryRun') return withoutDefaults(typeNode.typeArguments[1]);
    const typeParameters = symbolOf(typeNode.typeName)?.declarations?.[0].typeParameters;
    if (typeParameters?.every((each) => each.default)) return name;
    return `${name}<${typeNode.typeArguments.map(withoutDefaults).join(', ')}>`;
  }

  /** "KFold" for `KFoldOptions`, which is `InputOf<typeof options>` of `options = optionTable('KFold', ...)`. */
  function ownerOfTable(given) {
    // An overload narrows the options, `ReadTableOptions & { target: string }`.
    const typeNode = ts.isIntersectionTypeNode(given) ? given.types[0] : given;
    const declared = symbolOf(typeNode.typeName ?? typeNode)?.declarations?.find(ts.isTypeAliasDeclaration)?.type;
    // The first of several is that of the table.
    if (declared && ts.isUnionTypeNode(declared)) return ownerOfTable(declared.types[0]);
    if (!declared || !ts.isTypeReferenceNode(declared) || declared.typeName.getText() !== 'InputOf') return undefined;
    return literal(symbolOf(declared.typeArguments[0].exprName).valueDeclaration.initializer.arguments[0]);
  }

  function signature(symbol, declaration) {
    return {
      name: symbol.name,
      description: textOf(symbol),
      doc: docOf(checker.getSignatureFromDeclaration(declaration)),
      params: checker
        .getSignatureFromDeclaration(declaration)
        .parameters.map(parameter)
        .filter(({ name }) => name !== INTERNAL_PARAMETER),
      returns: declaration.type
        ? (declaration.typeParameters ? withoutDefaults : typeText)(declaration.type)
        : checker.typeToString(checker.getReturnTypeOfSignature(checker.getSignatureFromDeclaration(declaration))),
    };
  }

  const isPublic = (declaration) =>
    !(ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) &&
    !ts.isPrivateIdentifier(declaration.name) &&
    // Symbols: what programs call, not people.
    !ts.isComputedPropertyName(declaration.name) &&
    !declaration.name.getText().startsWith('_');

  /** Methods declared in this package, inherited ones included; not those of a base class that a package brings. */
  function methodsOf(symbol) {
    return checker
      .getDeclaredTypeOfSymbol(symbol)
      .getProperties()
      .flatMap((property) => {
        const declaration = property.valueDeclaration;
        const method = declaration && ts.isMethodDeclaration(declaration) && isPublic(declaration);
        if (!method || !isOurs(declaration) || isHidden(symbol, property.name)) return [];
        return [signature(property, declaration)];
      });
  }

  /** `@hidden` stands at the method, or at the one that it overrides. */
  function isHidden(symbol, name) {
    const own = symbol.members?.get(name)?.declarations ?? [];
    if (own.some(taggedHidden)) return true;
    const interfaces = (symbol.declarations ?? [])
      .flatMap(({ heritageClauses = [] }) => heritageClauses)
      .flatMap(({ types }) => types.map((type) => checker.getTypeAtLocation(type)));
    return [...checker.getBaseTypes(checker.getDeclaredTypeOfSymbol(symbol)), ...interfaces].some(
      (base) => base.symbol && base.symbol !== symbol && isHidden(base.symbol, name),
    );
  }

  /** What instances hold for everybody to read. */
  function fieldsOf(symbol) {
    return symbol.valueDeclaration.members
      .filter((member) => isField(member) && isPublic(member) && !isStatic(member) && !taggedHidden(member))
      .map((member) => ({
        name: member.name.text,
        type: typeName(member.type?.getText() ?? checker.typeToString(checker.getTypeAtLocation(member))),
        description: textOf(member.symbol),
      }));
  }

  /** What an object of the interface holds, inherited or not. */
  function propertiesOf(symbol) {
    return checker
      .getDeclaredTypeOfSymbol(symbol)
      .getProperties()
      .flatMap((property) => {
        // What a mapped type picks has no declaration of its own.
        const declaration = property.valueDeclaration ?? property.declarations?.[0];
        if (!declaration || !ts.isPropertySignature(declaration)) return [];
        // Its key is a symbol of ours, which nobody writes.
        if (ts.isComputedPropertyName(declaration.name)) return [];
        return [
          {
            name: property.name,
            type: typeText(declaration.type),
            optional: declaration.questionToken !== undefined,
            description: textOf(property),
          },
        ];
      });
  }

  function optionsParameter(typeNode) {
    const properties = checker.getTypeFromTypeNode(typeNode).getProperties();
    return {
      name: 'input',
      type: typeNode.getText(),
      optional: properties.every(({ flags }) => flags & ts.SymbolFlags.Optional),
      rest: false,
      description: '',
      table: ownerOfTable(typeNode),
    };
  }

  function constructorOf(symbol) {
    const declaration = symbol.valueDeclaration.members.find(ts.isConstructorDeclaration);
    if (declaration)
      return taggedHidden(declaration) ? [] : declaration.parameters.map((each) => parameter(each.symbol));
    const [written] = symbol.valueDeclaration.heritageClauses?.flatMap(({ types }) => types) ?? [];
    // `class KFold extends defineSplitter({ ... })<KFoldOptions>`: the type argument is what the constructor takes.
    if (written && ts.isCallExpression(written.expression) && written.typeArguments) {
      return [optionsParameter(written.typeArguments[0])];
    }
    const [base] = checker.getBaseTypes(checker.getDeclaredTypeOfSymbol(symbol));
    return base?.symbol?.valueDeclaration ? constructorOf(base.symbol) : [];
  }

  return {
    classOf: ({ symbol, name, aliases, typeOnly, from, place }) => ({
      name,
      from,
      place: relative(ROOT, place),
      aliases,
      typeOnly,
      description: textOf(symbol),
      doc: docOf(symbol),
      params: constructorOf(symbol),
      fields: fieldsOf(symbol),
      methods: methodsOf(symbol),
      hooks: implementsCallback(symbol),
    }),
    /** A function, once for each table of options that its overloads take. */
    functionsOf: ({ symbol, name, from, place }) => {
      const [first, ...others] = symbol.declarations.filter(
        (each, at) => at === 0 || (ts.isFunctionDeclaration(each) && !each.body),
      );
      const asFunction = (declaration) => ({
        ...signature(symbol, declaration),
        name,
        from,
        place: relative(ROOT, place),
      });
      const found = [asFunction(ts.isVariableDeclaration(first) ? first.initializer : first)];
      for (const declaration of others) {
        const tables = found.flatMap(({ params }) => params.map(({ table }) => table));
        const next = asFunction(declaration);
        if (next.params.every(({ table }) => table === undefined || tables.includes(table))) continue;
        const own = checker.getSignatureFromDeclaration(declaration).getDocumentationComment(checker);
        found.push({ ...next, description: clean(ts.displayPartsToString(own)) });
      }
      return found;
    },
    valueOf: ({ symbol, name, from, place }) => ({
      name,
      from,
      place: relative(ROOT, place),
      description: textOf(symbol),
      doc: docOf(symbol),
    }),
    interfaceOf: ({ symbol, name, from, place }) => ({
      name,
      from,
      place: relative(ROOT, place),
      description: textOf(symbol),
      doc: docOf(symbol),
      generics: genericsOf(symbol.declarations[0]),
      extended: (symbol.declarations[0].heritageClauses ?? []).map((clause) => ` ${clause.getText()}`).join(''),
      properties: propertiesOf(symbol),
      // The signature of a constructor has no name.
      members: symbol.declarations[0].members.map((member) => ({
        name: member.name?.text ?? 'new',
        ...(ts.isPropertySignature(member) ? { type: typeText(member.type) } : {}),
        optional: member.questionToken !== undefined,
        signature: flat(member.getText().replace(/;$/, '')),
        description: textOf(member.symbol),
      })),
    }),
    /** A name for a few values, `'passed' | 'failed'`; other aliases are longer than what they stand for. */
    aliasOf: ({ symbol, name, from, place }) => {
      const { type } = symbol.declarations[0];
      const values = ts.isUnionTypeNode(type) && type.types.every(ts.isLiteralTypeNode);
      if (!values) return [];
      return [
        {
          name,
          from,
          place: relative(ROOT, place),
          description: textOf(symbol),
          doc: docOf(symbol),
          type: typeText(type),
        },
      ];
    },
    /** Values of `ciMethod` with the docstring of the function behind each. */
    intervalMethods(file) {
      const record = checker
        .getExportsOfModule(checker.getSymbolAtLocation(file))
        .find(({ name }) => name === 'intervalMethods').valueDeclaration.initializer;
      return record.properties.map((property) => {
        const value = ts.isShorthandPropertyAssignment(property)
          ? checker.getShorthandAssignmentValueSymbol(property)
          : checker.getSymbolAtLocation(property.initializer);
        const method = value.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(value) : value;
        const full = ts.displayPartsToString(method.getDocumentationComment(checker));
        const [, source = ''] = full.match(/Sources?: ([\s\S]*?)(?:\n\n|$)/) ?? [];
        const [{ fileName }] = method.declarations.map((each) => each.getSourceFile());
        return {
          name: property.name.text,
          place: relative(ROOT, fileName),
          description: clean(full),
          source: flat(source).replace(/\.$/, ''),
          doc: docOf(method),
        };
      });
    },
    /** Docstrings of exported constants by name: of metrics, where they have one. */
    metricDocs(files) {
      const symbols = files.flatMap((file) => checker.getExportsOfModule(checker.getSymbolAtLocation(file)));
      return Object.fromEntries(symbols.map((symbol) => [symbol.name, docOf(symbol)]));
    },
  };
}

/** Where a step stands within others: given by the steps around it, never by users. */
const INTERNAL_PARAMETER = 'changing';

const isField = (member) => ts.isPropertyDeclaration(member) || ts.isGetAccessor(member);

const taggedHidden = (node) => ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'hidden');

const isStatic = (member) => (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;

const isOurs = (node) => relative(ROOT, node.getSourceFile().fileName).split(sep)[0] === 'src';

const implementsCallback = (symbol) =>
  (symbol.valueDeclaration.heritageClauses ?? []).some((clause) =>
    clause.types.some((type) => type.expression.getText() === 'CVCallback'),
  );

const genericsOf = ({ typeParameters = [] }) =>
  typeParameters.length > 0 ? `<${typeParameters.map((each) => flat(each.getText())).join(', ')}>` : '';

/** Name of a parameter; one that is taken apart is called after its type. */
function nameOf({ name, type }) {
  if (ts.isIdentifier(name)) return name.text.replace(/^_/, '');
  if (!ts.isTypeReferenceNode(type)) return 'options';
  const typeName = type.typeName.getText();
  // `Pick<Changing, 'path'>` is called after what it picks from.
  if (typeName === 'Pick' || typeName === 'Omit') return nameOf({ name, type: type.typeArguments[0] });
  return typeName[0].toLowerCase() + typeName.slice(1);
}

/** Value of a literal in the source, as JSON would have it. */
function literal(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  return JSON.parse(node.getText());
}

/** A type as it is written, without remarks and without the name of a file's namespace. */
const typeText = (node) => typeName(node.getText());
const typeName = (text) =>
  /ReturnType<typeof|^typeof /.test(text)
    ? 'object'
    : flat(text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\b[a-z]\w*\.(?=[A-Z])/g, ''));

const flat = (text) => text.replace(/\s+/g, ' ').trim();

const plainLinks = (text) => text.replace(/\{@link ([^}|]+?)\s*(?:\|[^}]*)?\}/g, '`$1`');

/** Paragraphs of a docstring, each on one line; lists and code keep their lines. */
const paragraphsOf = (text) =>
  text
    .split(/\n\s*\n/)
    .map((each) => plainLinks(/^\s*([-*|`]|\d\.)/m.test(each) ? each.trim() : flat(each)))
    .filter(Boolean);

/** First paragraph of a docstring on one line, with links as plain names. */
const clean = (text) => plainLinks(flat(text.split(/\n\s*\n/)[0]));
