import js from "@eslint/js";

export default [
  { ignores: ["page/qr.js", "page/tables.js", "page/wiring.js"] },
  js.configs.recommended,
  {
    rules: {
      "no-undef": "off", // tsc knows the names of a browser
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "array-callback-return": "error",
      "consistent-return": "error",
      curly: ["error", "multi-line"],
      "default-case": "error",
      eqeqeq: "error",
      "no-constructor-return": "error",
      "no-else-return": "error",
      "no-eval": "error",
      "no-implicit-coercion": "error",
      "no-implied-eval": "error",
      "no-param-reassign": "error",
      "no-promise-executor-return": "off",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-throw-literal": "error",
      "no-unmodified-loop-condition": "error",
      "no-unneeded-ternary": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      "require-atomic-updates": "error",
    },
  },
];
