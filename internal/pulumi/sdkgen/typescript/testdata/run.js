// Prints what the engine would be told by programs that use the SDKs.
const pulumi = require("@pulumi/pulumi");

const lines = [];
const show = value => JSON.stringify(value, (key, inner) => (key === "__pulumiType" ? undefined : inner));

// The mocks know no packages of parameterized plugins.
pulumi.runtime.registerPackage = async args => {
    lines.push(`package ${show(args)}`);
    return `ref-${args.packageName}`;
};

async function main() {
    await pulumi.runtime.setMocks({
        newResource: args => {
            lines.push(`resource ${args.type} ${args.name} ${show(args.inputs)}`);
            return { id: args.id || `${args.name}-id`, state: { ...args.inputs, size: 4, animal: { name: "Leo" } } };
        },
        call: args => {
            lines.push(`call ${args.token} ${show(args.inputs)}`);
            return { result: { answer: 42 } };
        },
    }, "project", "stack", false);
    process.env.ZOO_LIMIT = "7";
    process.env.LOCKED = "false";
    await pulumi.runtime.setAllConfig({ "zoo:prices": "[1, 2]", "odd-words:default": "d" });
    const zoo = require("./zoo");
    const words = require("./words");
    const random = require("./bridged");
    const crds = require("./extension");

    new zoo.Provider("provider", { keeper: "k", tags: { a: "b" } });
    const cage = new zoo.house.Cage("cage", { animal: { name: "Leo", door: {} }, code: "", doors: [{}], kind: "cage" });
    zoo.house.Cage.get("found", "id-1", { size: 9 });
    lines.push(`size ${await promise(cage.size)}, secret code: ${await cage.code.isSecret}`);
    lines.push(`is a cage: ${zoo.house.Cage.isInstance(cage)}, ${zoo.house.Cage.isInstance({})}, ${zoo.Provider.isInstance(cage)}`);
    try {
        new zoo.house.Cage("bad", {});
    } catch (error) {
        lines.push(`error ${error.message}`);
    }
    lines.push(`config ${show([zoo.config.prices, zoo.config.open, zoo.config.keeper, zoo.config.style, words.config._default])}`);
    lines.push(`plain ${show(await zoo.house.getCage({ size: 1, door: {} }))}`);
    lines.push(`output ${show(await promise(zoo.house.getCageOutput({ size: cage.size })))}`);
    lines.push(`single ${show(await zoo.feed(true, "Leo"))}`);
    lines.push(`enum ${show(zoo.house.Color)} ${show(zoo.types.enums.house.Level)}`);
    lines.push(`word ${show(await words.delete({ in: "i" }))}`);
    const empty = new words.Object("empty", {});
    const full = new words.Object("full", { constructor: "c", toString: "s", valueOf: { constructor: "i" } });
    lines.push(`inherited names ${await promise(full.constructor)} ${show(await promise(full.valueOf))} ${empty.constructor === full.constructor}`);
    new words.Maker("maker", { constructor: "c" });
    try {
        new words.Maker("nobody", {});
    } catch (error) {
        lines.push(`error ${error.message}`);
    }
    lines.push(`inherited arguments ${show(await words.toString({}))} ${show(await words.toString({ toString: "t" }))}`);
    new words.MyResource("mine", { "foo-bar": "f", "2nd": undefined, arguments: {} });
    new words.module.Thing("thing");
    new random.Pet("pet", { parts: [{ name: "tail" }] });
    lines.push(`parameterized ${show(await random.getPets())}`);
    new crds.example_com.v1.Widget("widget", { spec: { name: "w" } });
    await new Promise(resolve => setTimeout(resolve, 200));
}

const promise = output => output.promise();

// Resources are registered in no order of their own.
main().then(() => console.log([...new Set(lines)].sort().join("\n")), error => {
    console.error(error);
    process.exit(1);
});
