import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-6';

/** An option as it is declared: what an editor shows of it. */
export interface DeclaredOption {
  readonly name: string;
  readonly type: string;
  /** Of its doc comment: first what it means and its unit, then the reason, if one is given. */
  readonly paragraphs: readonly string[];
  /** What `@default` says. */
  readonly byDefault: string | undefined;
}

const packages = fileURLToPath(new URL('../../../packages/', import.meta.url));

/** The properties of an interface, in their order. `file` is seen from packages/. */
export function readOptions(file: string, name: string): DeclaredOption[] {
  const source = parse(file);
  const declaration = source.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  ) as ts.InterfaceDeclaration | undefined;
  if (declaration === undefined) throw new TypeError(`${file} declares no interface ${name}`);
  return declaration.members.filter(ts.isPropertySignature).map((member) => ({
    name: (member.name as ts.Identifier).text,
    type: oneLine(member.type?.getText(source) ?? '').replace(/(^[^=]*|\)) \| undefined$/, '$1'),
    paragraphs: commentOf(member)
      .split(/\n\s*\n/)
      .map(oneLine)
      .filter(Boolean),
    byDefault: defaultOf(member),
  }));
}

/** The strings of a union type of literals. */
export function readUnion(file: string, name: string): string[] {
  const declaration = parse(file).statements.find(
    (statement) => ts.isTypeAliasDeclaration(statement) && statement.name.text === name,
  ) as ts.TypeAliasDeclaration | undefined;
  if (declaration === undefined || !ts.isUnionTypeNode(declaration.type)) {
    throw new TypeError(`${file} declares no union ${name}`);
  }
  return declaration.type.types.flatMap((type) =>
    ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal) ? [type.literal.text] : [],
  );
}

/** The defaults that a file puts in place where it takes options apart: `{ maxBreakers = 10_000 }`. */
export function readDefaults(file: string): ReadonlyMap<string, string> {
  const source = parse(file);
  const defaults = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isBindingElement(node) && node.initializer !== undefined) {
      const name = (node.propertyName ?? node.name) as ts.Identifier;
      defaults.set(name.text, node.initializer.getText(source));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return defaults;
}

function parse(file: string): ts.SourceFile {
  const text = readFileSync(packages + file, 'utf8');
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

function commentOf(node: ts.Node): string {
  const comment = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc);
  return ts.getTextOfJSDocComment(comment?.comment) ?? '';
}

function defaultOf(node: ts.Node): string | undefined {
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === 'default');
  const text = ts.getTextOfJSDocComment(tag?.comment);
  return text === undefined ? undefined : oneLine(text);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
