import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const shipped = ['nodes/**/*.ts', 'credentials/**/*.ts'];

export default tseslint.config(
	{ ignores: ['**/node_modules/', 'dist/', 'coverage/', '.n8n-data/'] },
	{
		files: ['**/*.ts', '**/*.js', '**/*.cjs', '**/*.mjs'],
		extends: [tseslint.configs.recommended],
		rules: {
			eqeqeq: 'error',
			'no-console': 'off',
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
		},
	},
	{
		files: ['**/*.js', '**/*.cjs'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
	// What n8n's verification scan runs, on what it runs it on: the sources that are shipped and
	// package.json. It ignores inline disables, so here they are not allowed either.
	{
		files: [...shipped, 'package.json'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		linterOptions: { noInlineConfig: true },
	},
	{
		files: shipped,
		rules: { 'no-console': 'error' },
	},
	{
		files: ['package.json'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: n8nNodesBase.configs.community.rules,
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
	},
	{
		files: ['credentials/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// For n8n's own credentials, whose documentation has a slug; the rule beside it wants a URL.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// These want 'main', which the newer plugin forbids in favour of NodeConnectionTypes.Main.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
);
