// Compiles this SDK where it is installed. Files are compiled one by one and without checking types, by several
// workers, so that a large SDK takes little memory and its share of the time only.
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { isMainThread, Worker, workerData } = require("node:worker_threads");

const root = path.join(__dirname, "..");
const bin = path.join(root, "bin");
const filesPerWorker = 100;
const maxWorkers = 4;

function sources(dir) {
    return fs.readdirSync(path.join(root, dir), { withFileTypes: true }).flatMap(entry => {
        const name = path.join(dir, entry.name);
        if (entry.isDirectory()) {
            return ["bin", "node_modules", "scripts"].includes(name) ? [] : sources(name);
        }
        return name.endsWith(".ts") && !name.endsWith(".d.ts") ? [name] : [];
    });
}

function compileAll(names) {
    const ts = require("typescript");
    const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
    const codeOptions = { ...options, isolatedModules: true, removeComments: true };
    const typeOptions = { ...options, declaration: true, isolatedDeclarations: true, stripInternal: true };
    for (const fileName of names) {
        const text = fs.readFileSync(path.join(root, fileName), "utf8");
        const code = ts.transpileModule(text, { compilerOptions: codeOptions, fileName, reportDiagnostics: true });
        const types = ts.transpileDeclaration(text, { compilerOptions: typeOptions, fileName, reportDiagnostics: true });
        for (const problem of [...code.diagnostics, ...types.diagnostics]) {
            throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(problem.messageText, "\n")}`);
        }
        const target = path.join(bin, fileName.replace(/\.ts$/, ""));
        fs.mkdirSync(path.dirname(target), { recursive: true });
        fs.writeFileSync(`${target}.js`, code.outputText);
        fs.writeFileSync(`${target}.d.ts`, types.outputText);
    }
}

function start() {
    fs.rmSync(bin, { recursive: true, force: true });
    const names = sources("");
    const workers = Math.min(maxWorkers, os.cpus().length, Math.ceil(names.length / filesPerWorker));
    if (workers <= 1) {
        compileAll(names);
        return;
    }
    for (let worker = 0; worker < workers; worker++) {
        new Worker(__filename, { workerData: names.filter((_, i) => i % workers === worker) }).on("error", error => {
            console.error("The SDK could not be compiled:", error);
            process.exit(1);
        });
    }
}

if (isMainThread) {
    start();
} else {
    compileAll(workerData);
}
