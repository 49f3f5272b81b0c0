import { join } from 'node:path';
import ts from 'typescript-6';
import { project } from './installed.ts';

export interface PublicName {
  readonly name: string;
  readonly kind: Kind;
  /** Where it is declared, of what stands in node_modules. */
  readonly file: string;
}

type Kind = 'class' | 'const' | 'function' | 'interface' | 'type';

const kinds = new Map<ts.SyntaxKind, Kind>([
  [ts.SyntaxKind.ClassDeclaration, 'class'],
  [ts.SyntaxKind.VariableDeclaration, 'const'],
  [ts.SyntaxKind.FunctionDeclaration, 'function'],
  [ts.SyntaxKind.InterfaceDeclaration, 'interface'],
  [ts.SyntaxKind.TypeAliasDeclaration, 'type'],
]);

/** What each of these entries exports, types too, by the declarations that npm installed. */
export function publicNames(entries: readonly string[]): Map<string, readonly PublicName[]> {
  const modules = join(project, 'node_modules');
  // Any file of the project: packages are looked for from there.
  const from = join(project, 'esm/core.ts');
  const options: ts.CompilerOptions = { module: ts.ModuleKind.NodeNext, types: [] };
  const files = entries.map((entry) => {
    const mode = ts.ModuleKind.ESNext;
    const { resolvedModule } = ts.resolveModuleName(
      entry,
      from,
      options,
      ts.sys,
      undefined,
      undefined,
      mode,
    );
    return resolvedModule!.resolvedFileName;
  });
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  return new Map(
    entries.map((entry, index) => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(files[index]!)!)!;
      const names = checker.getExportsOfModule(module).map((symbol): PublicName => {
        const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
        const declared = (isAlias ? checker.getAliasedSymbol(symbol) : symbol).declarations![0]!;
        // A class can be exported as a type alone.
        const isType = symbol.declarations!.some(ts.isTypeOnlyExportDeclaration);
        return {
          name: symbol.name,
          kind:
            isType && declared.kind === ts.SyntaxKind.ClassDeclaration
              ? 'type'
              : kinds.get(declared.kind)!,
          file: declared.getSourceFile().fileName.slice(modules.length + 1),
        };
      });
      return [entry, names.toSorted((a, b) => (a.name < b.name ? -1 : 1))];
    }),
  );
}
