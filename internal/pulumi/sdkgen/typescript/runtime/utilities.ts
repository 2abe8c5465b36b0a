import * as fs from "fs";
import * as path from "path";
import * as pulumi from "@pulumi/pulumi";

/** Returns the first of the environment variables that is set and not empty. */
export function getEnv(...vars: string[]): string | undefined {
    return vars.map(name => process.env[name]).find(value => value !== undefined && value !== "");
}

/** Reads an environment variable as a boolean, in the notation that Go's strconv.ParseBool takes. */
export function getEnvBoolean(...vars: string[]): boolean | undefined {
    const value = getEnv(...vars);
    if (value !== undefined && ["1", "t", "T", "true", "TRUE", "True"].includes(value)) {
        return true;
    }
    if (value !== undefined && ["0", "f", "F", "false", "FALSE", "False"].includes(value)) {
        return false;
    }
    return undefined;
}

/** Reads an environment variable as a number. */
export function getEnvNumber(...vars: string[]): number | undefined {
    const value = parseFloat(getEnv(...vars) ?? "");
    return isNaN(value) ? undefined : value;
}

/**
 * Returns the version of this package. Its package.json is beside this file or, where the compiler put this into a
 * directory of its own, one above.
 */
export function getVersion(): string {
    const found = [__dirname, path.join(__dirname, "..")]
        .map(dir => path.join(dir, "package.json"))
        .find(file => fs.existsSync(file));
    const version: string = found === undefined ? "" : require(found).version;
    return version.replace(/^v/, "");
}

/** @internal */
export function resourceOptsDefaults(): any {
    return { /*options*/ };
}

/**
 * Exports names that another module has. It is loaded when the first of them is used.
 *
 * @internal
 */
export function lazyLoad(exports: any, names: string[], load: () => any): void {
    for (const name of names) {
        Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] });
    }
}

/**
 * Calls a method whose result comes without an Output around it. Where single is true, the result is the only property
 * of what the provider returns.
 *
 * @internal
 */
export async function callAsync<T>(
    token: string,
    args: pulumi.Inputs,
    resource: pulumi.Resource,
    single: boolean,
    packageRef?: Promise<string | undefined>,
): Promise<T> {
    const output: any = pulumi.runtime.call<T>(token, args, resource, packageRef);
    const value = await output.promise(/*withUnknowns*/ true);
    if (!(await output.isKnown)) {
        throw new Error(`Method ${token} returned an unknown value, and its result is plain. The provider is at fault.`);
    }
    if (await output.isSecret) {
        throw new Error(`Method ${token} returned a secret, and its result is plain. The provider is at fault.`);
    }
    return single ? Object.values(value as any)[0] as T : value;
}
