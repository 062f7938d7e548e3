/* text.h: written by tests/golden/text.py with tokenizers 0.23.3. */
#define TEXT_WORDS 51
#define TEXT_SPACES 16
#define TEXT_SPECIALS 22
static const char *const text_words[] = {
    "the",
    " the",
    " and",
    "ing",
    " of",
    " Hello",
    " world",
    "re",
    " can't",
    "we'll",
    "I'M",
    "He'S",
    " naive",
    "na\303\257ve",
    "Stra\303\237e",
    " \304\260stanbul",
    " int main(void) {\012",
    "    return 0;\012",
    "\316\243\316\243",
    " 1234567",
    "3.14",
    "tokenizer",
    "un",
    "believ",
    "able",
    "\341\272\233\314\243",
    "e\314\201",
    "A\314\212",
    "\355\225\234\352\265\255\354\226\264",
    "\341\204\222\341\205\241\341\206\253",
    "\346\227\245\346\234\254\350\252\236",
    " caf\303\251",
    "don't",
    " do not",
    "x.",
    " ,",
    " ' ",
    "\342\226\201a",
    "'ll",
    "'LL",
    "'\305\277",
    "\357\254\201",
    "\302\275",
    "\342\221\240",
    "\357\267\272",
    "\340\270\263",
    "\342\200\215",
    "\357\270\217",
    "\360\237\221\250\342\200\215\360\237\221\251\342\200\215\360\237\221\247",
    "\360\237\207\251\360\237\207\252",
    "I\314\207"};
static const char *const text_spaces[] = {
    " ",
    "  ",
    "   ",
    "\012",
    "\015\012",
    "\012\012",
    "\011",
    "\302\240",
    "\343\200\200",
    "\342\200\203",
    "\302\205",
    "\013",
    "\341\232\200",
    " \012 ",
    "\342\200\213",
    "\341\240\216"};
static const char *const text_specials[] = {
    "[CLS]",
    "[SEP]",
    "[MASK]",
    " [MASK] ",
    "<|endoftext|>",
    "<mask>",
    " <mask>",
    "<mask> ",
    "<s>",
    "</s>",
    "<|begin_of_text|>",
    "low",
    " low ",
    "LOW",
    "Caf\303\211",
    "<|",
    "[UNK]",
    "[PAD]",
    "<unk>",
    "<0x41>",
    "\303\251",
    "\314\201"};
typedef struct text_case {
    const char *name, *model, *parts;
    unsigned hashes[50], pairs[5], more[10];
} text_case;
static const text_case text_cases[] = {
    {"gpt2", "byte_level",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: null, \042pre"
     "_tokenizer\042: {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042trim_offsets\042: tr"
     "ue, \042use_regex\042: true}, \042post_processor\042: {\042type\042: \042ByteLevel\042, \042add_prefix_spac"
     "e\042: false, \042trim_offsets\042: false, \042use_regex\042: true}, \042decoder\042: {\042type\042: \042ByteL"
     "evel\042, \042add_prefix_space\042: false, \042trim_offsets\042: true, \042use_regex\042: true}, \042add"
     "ed_tokens\042: [{\042id\042: 0, \042content\042: \042<|endoftext|>\042, \042single_word\042: false, \042lstrip"
     "\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}], \042model\042: {\042ty"
     "pe\042: \042BPE\042, \042dropout\042: null, \042unk_token\042: null,",
     {0x0a04495e, 0xc4f9cff7, 0x2e77e3a4, 0xaf4f6943, 0x7f065448, 0x9666e0e7, 0xf5b21f86,
      0x78480372, 0x90772f70, 0x5d134284, 0xd71a9190, 0x34348154, 0xcc6323ea, 0x76f936ff,
      0xe7db9dc0, 0x62baf5b4, 0xb64abcb7, 0x2ac1f7c5, 0xf16a7ea4, 0x122f31c5, 0x7f3a6287,
      0xaf10240a, 0x847a80f8, 0xdffe6e76, 0x275a738b, 0xc8c40607, 0x7c066489, 0x49e80267,
      0x1a6e5382, 0x6686ef70, 0x454fc391, 0x72d7637b, 0x62345535, 0x8a3aaf41, 0x89fea92c,
      0xa11cbd80, 0xc5134efd, 0x8a64c563, 0xaeb496d0, 0xed12a91d, 0xacb47d25, 0x8bc8331b,
      0x469bb255, 0x7aa1628c, 0x3649c295, 0x5f6e078a, 0x3ee44bb3, 0x12173650, 0x0c62b89f,
      0xc0bbb45c},
     {0x76c50bbb, 0xeb3dc3ad, 0xd63d19a3, 0x144e661c, 0x17754a5c},
     {0x1b20a2fc, 0x168ddc83, 0x547a700d, 0x3ac56dd8, 0xe8657db9, 0x32f5168d, 0xa8e5125c,
      0x369b1efb, 0x73ae7494, 0x45ffc3b4}},
    {"roberta", "byte_level",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: null, \042pre"
     "_tokenizer\042: {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: true, \042trim_offsets\042: tru"
     "e, \042use_regex\042: true}, \042post_processor\042: {\042type\042: \042RobertaProcessing\042, \042sep\042: [\042"
     "</s>\042, 2], \042cls\042: [\042<s>\042, 1], \042trim_offsets\042: true, \042add_prefix_space\042: true}, \042"
     "decoder\042: {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042trim_offsets\042: true,"
     " \042use_regex\042: true}, \042added_tokens\042: [{\042id\042: 1, \042content\042: \042<s>\042, \042single_word\042:"
     " false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true},"
     " {\042id\042: 2, \042content\042: \042</s>\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: f"
     "alse, \042normalized\042: false, \042special\042: true}, {\042id\042: 3, \042content\042: \042<mask>\042, \042sin"
     "gle_word\042: false, \042lstrip\042: true, \042rstrip\042: false, \042normalized\042: false, \042special"
     "\042: true}], \042model\042: {\042type\042: \042BPE\042, \042dropout\042: null, \042unk_token\042: null,",
     {0x8eec7bad, 0x4b283c1b, 0x6165f2d2, 0xbc5ed728, 0xbcf1be0f, 0x441a1c11, 0x26154f45,
      0x9484bae1, 0x1725f483, 0x2dcd1d82, 0xd78929f5, 0x414e80c5, 0x569bdecf, 0x8beb83dd,
      0xde1c646c, 0x2dc42a95, 0xdf107d8d, 0x8ed2ca9a, 0xe0b96c5a, 0xe6fde028, 0x557bbf78,
      0x80871eaf, 0x711210c3, 0x3dc33bb5, 0x981820df, 0xb57a6f21, 0xe9f06db4, 0x1233ea53,
      0x6661dde4, 0xe3d5b08c, 0xe3c0d3e1, 0xe319b15d, 0x0df4f0e8, 0x1cd1147d, 0xcaff80ef,
      0x803d6f75, 0x76c9b8e3, 0x38da0b90, 0x67c4d428, 0x72743520, 0xc0ddada3, 0x4e052643,
      0xb6f34bd2, 0x1bfae54b, 0xd85f4a5d, 0x509565cf, 0xd90a9c31, 0x3354c9d1, 0x09018ecc,
      0x9d65fc13},
     {0x1719ff77, 0xd4a39eaf, 0x0d72e4d0, 0x4e88637e, 0xd656f012},
     {0x42fbf10f, 0xbe6aab75, 0x0af9a06a, 0x8e5b2acf, 0xb6b9f3db, 0x5dc6d068, 0xb5453b90,
      0x157f740f, 0xe61a7781, 0x709226bd}},
    {"llama3", "byte_level",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: null, \042pre"
     "_tokenizer\042: {\042type\042: \042Sequence\042, \042pretokenizers\042: [{\042type\042: \042Split\042, \042pattern\042:"
     " {\042Regex\042: \042(\077i:'s|'t|'re|'ve|'m|'ll|'d)|[^\134\134r\134\134n\134\134p{L}\134\134p{N}]\077\134\134p{L}+|\134\134p{N}{1,"
     "3}| \077[^\134\134s\134\134p{L}\134\134p{N}]+[\134\134r\134\134n]*|\134\134s*[\134\134r\134\134n]+|\134\134s+(\077!\134\134S)|\134\134s+\042}, \042behavior\042: "
     "\042Isolated\042, \042invert\042: false}, {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042"
     "trim_offsets\042: true, \042use_regex\042: false}]}, \042post_processor\042: {\042type\042: \042Sequence"
     "\042, \042processors\042: [{\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042trim_offsets"
     "\042: true, \042use_regex\042: true}, {\042type\042: \042TemplateProcessing\042, \042single\042: [{\042Special"
     "Token\042: {\042id\042: \042<|begin_of_text|>\042, \042type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042A\042, \042ty"
     "pe_id\042: 0}}], \042pair\042: [{\042SpecialToken\042: {\042id\042: \042<|begin_of_text|>\042, \042type_id\042: 0"
     "}}, {\042Sequence\042: {\042id\042: \042A\042, \042type_id\042: 0}}, {\042SpecialToken\042: {\042id\042: \042<|begin_of"
     "_text|>\042, \042type_id\042: 1}}, {\042Sequence\042: {\042id\042: \042B\042, \042type_id\042: 1}}], \042special_tok"
     "ens\042: {\042<|begin_of_text|>\042: {\042id\042: \042<|begin_of_text|>\042, \042ids\042: [4], \042tokens\042: [\042"
     "<|begin_of_text|>\042]}}}]}, \042decoder\042: {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: f"
     "alse, \042trim_offsets\042: true, \042use_regex\042: true}, \042added_tokens\042: [{\042id\042: 0, \042cont"
     "ent\042: \042<|endoftext|>\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042"
     "normalized\042: false, \042special\042: true}, {\042id\042: 4, \042content\042: \042<|begin_of_text|>\042, "
     "\042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042sp"
     "ecial\042: true}], \042model\042: {\042type\042: \042BPE\042, \042dropout\042: null, \042unk_token\042: null, \042ig"
     "nore_merges\042: true,",
     {0xb1cff2f5, 0xc67cab04, 0xf9b9d5df, 0x29c4b890, 0x4d74b33e, 0x1bcc7c8b, 0xcb93f646,
      0xc75483bb, 0x203afd5b, 0x593d66b8, 0xe17b3e23, 0x0686ac36, 0x936e0ecc, 0x8c1193bf,
      0xe19707fe, 0x7653bbe8, 0x6923cc18, 0x9c0b1490, 0x70e294f1, 0x4ef7d2ed, 0xcdfa7087,
      0x44ef82e9, 0x19b7f6f7, 0x48b25191, 0x16f0ac6c, 0x60a8a54a, 0x01649079, 0x687bce0d,
      0x73ebdf87, 0xd21ecf40, 0x4203d27f, 0xdec6c89c, 0xd27d85f2, 0xe7c046f6, 0x79ad582e,
      0x5be9c449, 0xf116895f, 0x140eee80, 0xd2b54c4b, 0xaee53ec8, 0xe75ace12, 0x9a101eb0,
      0x92aa5af8, 0x13366939, 0x8081bfc0, 0xc340127b, 0xceab6ebd, 0x03915641, 0x39dab0db,
      0xd896f8cc},
     {0xcfbf5eb8, 0x1f8e2fda, 0x4a3e1fae, 0xcb77d17a, 0xff54f22b},
     {0xa4081e57, 0x823b826d, 0x07f2d2e2, 0x7e2ae710, 0xdf220f17, 0x28f7436a, 0x72fdfab6,
      0xe01ee2df, 0x73b807eb, 0x95a5991e}},
    {"qwen2", "byte_level",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "NFC\042}, \042pre_tokenizer\042: {\042type\042: \042Sequence\042, \042pretokenizers\042: [{\042type\042: \042Split\042,"
     " \042pattern\042: {\042Regex\042: \042(\077i:'s|'t|'re|'ve|'m|'ll|'d)|[^\134\134r\134\134n\134\134p{L}\134\134p{N}]\077\134\134p{L}"
     "+|\134\134p{N}| \077[^\134\134s\134\134p{L}\134\134p{N}]+[\134\134r\134\134n]*|\134\134s*[\134\134r\134\134n]+|\134\134s+(\077!\134\134S)|\134\134s+\042}, \042behav"
     "ior\042: \042Isolated\042, \042invert\042: false}, {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: fa"
     "lse, \042trim_offsets\042: true, \042use_regex\042: false}]}, \042post_processor\042: {\042type\042: \042By"
     "teLevel\042, \042add_prefix_space\042: false, \042trim_offsets\042: false, \042use_regex\042: true}, "
     "\042decoder\042: {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042trim_offsets\042: true"
     ", \042use_regex\042: true}, \042added_tokens\042: [{\042id\042: 0, \042content\042: \042<|endoftext|>\042, \042si"
     "ngle_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042speci"
     "al\042: true}, {\042id\042: 900, \042content\042: \042low\042, \042single_word\042: true, \042lstrip\042: false, "
     "\042rstrip\042: false, \042normalized\042: true, \042special\042: false}, {\042id\042: 901, \042content\042: \042"
     "e\134u0301\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: "
     "true, \042special\042: false}], \042model\042: {\042type\042: \042BPE\042, \042dropout\042: null, \042unk_token\042:"
     " null,",
     {0xcf74dc13, 0x91dd1e42, 0x4983d201, 0x15f2c0bf, 0x7bee6f68, 0x1b0c6914, 0xc3a7530e,
      0x755c3673, 0x8fba4a26, 0x9635f914, 0x3af9c486, 0x2f2d2e9c, 0xa38a1977, 0xa037862c,
      0x1936e40e, 0x29983edd, 0x4b342a40, 0x3bec4174, 0x8c94255f, 0xc185c871, 0xcf3d2f1d,
      0xdc8cc3a2, 0xa503a202, 0xd8701815, 0x821aea54, 0xaf0fb080, 0x0838f283, 0xc9a483f1,
      0x73cebc95, 0x710c7d2e, 0xd0ca10b2, 0xe69dd987, 0xf4122527, 0xf919b742, 0xab972a70,
      0x36d8b062, 0x83465c21, 0xa5562521, 0x8ff92e7a, 0xbbfb98c4, 0x66fee6e5, 0x8bd03ac8,
      0x8d2f6f94, 0x2d5fa53f, 0x2f5aa630, 0xdf818411, 0x3753077c, 0x7661b798, 0x7091c220,
      0x3954e1a2},
     {0x11a5fb6e, 0xcb4d1ac5, 0xf9bc27cd, 0xa926b4e5, 0xbe8e5102},
     {0xeb1860b1, 0xef8d9c04, 0xc683cdec, 0x46b4d813, 0x3f764c65, 0x42720987, 0xea99c5f7,
      0x68face01, 0x2a53384b, 0x9c110313}},
    {"bert", "piece",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "BertNormalizer\042, \042clean_text\042: true, \042handle_chinese_chars\042: true, \042strip_accent"
     "s\042: null, \042lowercase\042: true}, \042pre_tokenizer\042: {\042type\042: \042BertPreTokenizer\042}, \042po"
     "st_processor\042: {\042type\042: \042TemplateProcessing\042, \042single\042: [{\042SpecialToken\042: {\042id\042:"
     " \042[CLS]\042, \042type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042A\042, \042type_id\042: 0}}, {\042SpecialToke"
     "n\042: {\042id\042: \042[SEP]\042, \042type_id\042: 0}}], \042pair\042: [{\042SpecialToken\042: {\042id\042: \042[CLS]\042, \042"
     "type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042A\042, \042type_id\042: 0}}, {\042SpecialToken\042: {\042id\042: "
     "\042[SEP]\042, \042type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042B\042, \042type_id\042: 1}}, {\042SpecialToken"
     "\042: {\042id\042: \042[SEP]\042, \042type_id\042: 1}}], \042special_tokens\042: {\042[CLS]\042: {\042id\042: \042[CLS]\042, "
     "\042ids\042: [2], \042tokens\042: [\042[CLS]\042]}, \042[SEP]\042: {\042id\042: \042[SEP]\042, \042ids\042: [3], \042tokens\042:"
     " [\042[SEP]\042]}}}, \042decoder\042: {\042type\042: \042WordPiece\042, \042prefix\042: \042##\042, \042cleanup\042: true}"
     ", \042added_tokens\042: [{\042id\042: 0, \042content\042: \042[PAD]\042, \042single_word\042: false, \042lstrip\042:"
     " false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 1, \042conte"
     "nt\042: \042[UNK]\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalize"
     "d\042: false, \042special\042: true}, {\042id\042: 2, \042content\042: \042[CLS]\042, \042single_word\042: false,"
     " \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042:"
     " 3, \042content\042: \042[SEP]\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, "
     "\042normalized\042: false, \042special\042: true}, {\042id\042: 4, \042content\042: \042[MASK]\042, \042single_wo"
     "rd\042: false, \042lstrip\042: true, \042rstrip\042: false, \042normalized\042: false, \042special\042: tru"
     "e}], \042model\042: {\042type\042: \042WordPiece\042, \042unk_token\042: \042[UNK]\042, \042continuing_subword_pr"
     "efix\042: \042##\042, \042max_input_chars_per_word\042: 100,",
     {0x555ba1d1, 0xad50d8f5, 0x8eb1dd9b, 0x0913a931, 0xb5964565, 0xa87056f2, 0xbc3e3203,
      0x43b30471, 0x14e9af40, 0xd7416bd3, 0xeab9787e, 0xdedad99b, 0x27e9d0d7, 0x6b3d50ce,
      0x6b43d6cf, 0xd6b47b48, 0xffdfa3ee, 0x8a587e32, 0x79bb5e61, 0xf3a238ed, 0x27836536,
      0x3840faaa, 0x5d201d9f, 0xce7919f9, 0x84150e12, 0x01bd3ae9, 0xcd8748b3, 0x43c0cca3,
      0xd897e670, 0x2275eb7b, 0x25ddd2df, 0x36863f2a, 0x50351c6a, 0x05f609e9, 0xcc3c8dfd,
      0x987dcc4a, 0xfd5384e6, 0x53fd399c, 0xac2e2b65, 0x9a2fca22, 0xae0fbdca, 0xfadd1b6a,
      0x9872d2f9, 0x0b9d8b4b, 0xef598639, 0x6b79999f, 0x66c6e043, 0x28007634, 0x52c31573,
      0x9cc14d4c},
     {0x9f66349f, 0xf6ec382b, 0xf64c619f, 0xfd39c12d, 0xe69608ba},
     {0x4c6a097b, 0xc6b822de, 0x358e656a, 0x0125dca6, 0xc9618a00, 0xf7328fd4, 0x5c527fb7,
      0xdbaee29b, 0x8bf912fa, 0x8b9d8696}},
    {"bert_cased", "piece",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "BertNormalizer\042, \042clean_text\042: true, \042handle_chinese_chars\042: true, \042strip_accent"
     "s\042: null, \042lowercase\042: false}, \042pre_tokenizer\042: {\042type\042: \042BertPreTokenizer\042}, \042p"
     "ost_processor\042: {\042type\042: \042BertProcessing\042, \042sep\042: [\042[SEP]\042, 3], \042cls\042: [\042[CLS]\042,"
     " 2]}, \042decoder\042: {\042type\042: \042WordPiece\042, \042prefix\042: \042##\042, \042cleanup\042: false}, \042added"
     "_tokens\042: [{\042id\042: 0, \042content\042: \042[PAD]\042, \042single_word\042: false, \042lstrip\042: false, "
     "\042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 1, \042content\042: \042[U"
     "NK]\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: fals"
     "e, \042special\042: true}, {\042id\042: 2, \042content\042: \042[CLS]\042, \042single_word\042: false, \042lstrip"
     "\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 3, \042con"
     "tent\042: \042[SEP]\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normali"
     "zed\042: false, \042special\042: true}, {\042id\042: 4, \042content\042: \042[MASK]\042, \042single_word\042: fal"
     "se, \042lstrip\042: true, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}], \042mo"
     "del\042: {\042type\042: \042WordPiece\042, \042unk_token\042: \042[UNK]\042, \042continuing_subword_prefix\042: \042"
     "##\042, \042max_input_chars_per_word\042: 100,",
     {0xdb7cc162, 0xbdfbeaf9, 0x19a42e86, 0x9ac946b4, 0x512f2f52, 0xd0a28731, 0x58a7dfbb,
      0x8496623f, 0x7e9e6eda, 0x739d1e96, 0x4646ce38, 0x927590b9, 0x818c3920, 0xd96f6bc4,
      0xed7728a3, 0x9b508b49, 0x7659d967, 0x9bcad9d7, 0xe3a7d8d1, 0x02338649, 0x808eae51,
      0x346fee71, 0x243f4fc4, 0x81d6f29f, 0x09847483, 0x575469cf, 0xbee6b491, 0x4f00e119,
      0x833ff61f, 0xaf878a8c, 0x7128a67c, 0x6ce210ac, 0xa7786b77, 0x736739d5, 0xfdd0212c,
      0x293fe578, 0x6745b2d5, 0x2f25cd0d, 0x43dad116, 0x5a1314f5, 0x577576f8, 0x152f1965,
      0xc337e968, 0xb826bf9b, 0x58dd10c4, 0x74284f53, 0x07a29f63, 0x8b65148d, 0xca48c4ce,
      0xfd9995b8},
     {0xafa3e288, 0xde4182a2, 0x02a5f1a9, 0x390a57df, 0x567ae8da},
     {0xb8d32d93, 0x4cdb91e4, 0x281f5b3d, 0x051b243a, 0x5b12947e, 0xd5cdbcee, 0x5f0b67e5,
      0xd57bb429, 0xcaa835ba, 0xac865443}},
    {"nfkd", "piece",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "Sequence\042, \042normalizers\042: [{\042type\042: \042NFKD\042}, {\042type\042: \042Lowercase\042}, {\042type\042: \042St"
     "ripAccents\042}]}, \042pre_tokenizer\042: {\042type\042: \042Whitespace\042}, \042post_processor\042: null,"
     " \042decoder\042: {\042type\042: \042WordPiece\042, \042prefix\042: \042##\042, \042cleanup\042: true}, \042added_token"
     "s\042: [{\042id\042: 0, \042content\042: \042[PAD]\042, \042single_word\042: false, \042lstrip\042: false, \042rstri"
     "p\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 1, \042content\042: \042[UNK]\042, "
     "\042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042sp"
     "ecial\042: true}, {\042id\042: 2, \042content\042: \042[CLS]\042, \042single_word\042: false, \042lstrip\042: fal"
     "se, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 3, \042content\042:"
     " \042[SEP]\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: "
     "false, \042special\042: true}, {\042id\042: 4, \042content\042: \042[MASK]\042, \042single_word\042: false, \042l"
     "strip\042: true, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 600"
     ", \042content\042: \042Caf\134u00c9\042, \042single_word\042: false, \042lstrip\042: true, \042rstrip\042: true, "
     "\042normalized\042: true, \042special\042: false}], \042model\042: {\042type\042: \042WordPiece\042, \042unk_toke"
     "n\042: \042[UNK]\042, \042continuing_subword_prefix\042: \042##\042, \042max_input_chars_per_word\042: 9,",
     {0x6794d9de, 0x518a970a, 0xd778d230, 0x9a245e41, 0xc5c44357, 0xa9d10a23, 0x55ba4cff,
      0xd5557f23, 0x06d09730, 0x89b3df86, 0xe508dcf7, 0xf5243d90, 0x29c8dff5, 0xb6802e3b,
      0xda30597a, 0x477cd1be, 0x92fc7856, 0x5670083f, 0x8389cf57, 0x3c1c597e, 0x5ffc45b0,
      0x07c4d959, 0x6976ea04, 0xadcb2458, 0xe34893d9, 0x30528123, 0xefb1c572, 0x622eb587,
      0x961d72a2, 0xd85ee9e2, 0x5990e1ba, 0x76687f51, 0xb94b4c25, 0xd96e506f, 0x92de614b,
      0x32564d78, 0xc8f6a1c3, 0x567eb12e, 0x56d8331d, 0x6c2bcdf9, 0x0ed35a9c, 0xf6b6cb97,
      0x88579cf4, 0x6c176051, 0x2efbb46d, 0x417b4a4f, 0x7362f91a, 0xe48bb416, 0x70b60642,
      0xa1aa3b03},
     {0xad680602, 0x0e2fa7e5, 0x53f31be7, 0xdbb7e740, 0x5752453a},
     {0x83d5e0ee, 0xdd54ccb6, 0x7dcbca8b, 0xfcbd9dfe, 0x37a83225, 0x6b11ad21, 0x3992e967,
      0xca66e8be, 0x3af36cfa, 0x1983be54}},
    {"nfkc", "piece",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "Sequence\042, \042normalizers\042: [{\042type\042: \042NFKC\042}, {\042type\042: \042Strip\042, \042strip_left\042: tru"
     "e, \042strip_right\042: true}]}, \042pre_tokenizer\042: {\042type\042: \042Sequence\042, \042pretokenizers\042"
     ": [{\042type\042: \042WhitespaceSplit\042}, {\042type\042: \042Punctuation\042, \042behavior\042: \042Contiguous\042"
     "}, {\042type\042: \042Digits\042, \042individual_digits\042: true}]}, \042post_processor\042: null, \042dec"
     "oder\042: null, \042added_tokens\042: [{\042id\042: 0, \042content\042: \042[PAD]\042, \042single_word\042: false"
     ", \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042"
     ": 1, \042content\042: \042[UNK]\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false,"
     " \042normalized\042: false, \042special\042: true}, {\042id\042: 2, \042content\042: \042[CLS]\042, \042single_wo"
     "rd\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: tr"
     "ue}, {\042id\042: 3, \042content\042: \042[SEP]\042, \042single_word\042: false, \042lstrip\042: false, \042rstri"
     "p\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 4, \042content\042: \042[MASK]\042,"
     " \042single_word\042: false, \042lstrip\042: true, \042rstrip\042: false, \042normalized\042: false, \042sp"
     "ecial\042: true}], \042model\042: {\042type\042: \042WordPiece\042, \042unk_token\042: \042[UNK]\042, \042continuing"
     "_subword_prefix\042: \042##\042, \042max_input_chars_per_word\042: 100,",
     {0xcf29c93b, 0xd09e2dad, 0x38f7682b, 0x4f15ab2b, 0xcb825836, 0x9fb88a69, 0xbe80a26e,
      0xe0540d1e, 0xe5718ff6, 0x1c8e922a, 0xaedb1a4e, 0x243beaec, 0xdcdbdaee, 0x6e9254e4,
      0xabb554c3, 0xbe912d19, 0x177e0ab4, 0xd2b150d8, 0x8df3c025, 0x4bff5170, 0xf3ea9e00,
      0xa113c0f7, 0x453daf55, 0x685e9199, 0x9dd48399, 0x910c75b9, 0xad3f5090, 0xd413fc6a,
      0x346381ee, 0xcad6c4b2, 0xecec55f3, 0xd5824679, 0xf6770dbe, 0x45ec0f83, 0xf76d7f76,
      0xf6b0e7b6, 0x62ade882, 0x5de1567d, 0x63e2a5b7, 0x5b71c3f9, 0x6c18272e, 0x54040f96,
      0x4bb6198f, 0x46fd43b1, 0x2b64efc8, 0x22de654d, 0x2154f846, 0x22957fa1, 0x8cb2120d,
      0x6e14de2d},
     {0x345e116a, 0x26e87c88, 0x8d020d0d, 0x02ade187, 0x56eb3fb4},
     {0xfea16f6e, 0x6e45ed3f, 0xf8d71727, 0x1dd73199, 0x149316bb, 0xe06d4643, 0x346a8d1d,
      0x495f1987, 0x11171074, 0x31fe7087}},
    {"llama2", "letters",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "Sequence\042, \042normalizers\042: [{\042type\042: \042Prepend\042, \042prepend\042: \042\134u2581\042}, {\042type\042: \042R"
     "eplace\042, \042pattern\042: {\042String\042: \042 \042}, \042content\042: \042\134u2581\042}]}, \042pre_tokenizer\042: nu"
     "ll, \042post_processor\042: {\042type\042: \042TemplateProcessing\042, \042single\042: [{\042SpecialToken\042:"
     " {\042id\042: \042<s>\042, \042type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042A\042, \042type_id\042: 0}}], \042pair\042:"
     " [{\042SpecialToken\042: {\042id\042: \042<s>\042, \042type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042A\042, \042type_"
     "id\042: 0}}, {\042SpecialToken\042: {\042id\042: \042<s>\042, \042type_id\042: 1}}, {\042Sequence\042: {\042id\042: \042B\042"
     ", \042type_id\042: 1}}], \042special_tokens\042: {\042<s>\042: {\042id\042: \042<s>\042, \042ids\042: [1], \042tokens\042:"
     " [\042<s>\042]}}}, \042decoder\042: {\042type\042: \042Sequence\042, \042decoders\042: [{\042type\042: \042Replace\042, \042p"
     "attern\042: {\042String\042: \042\134u2581\042}, \042content\042: \042 \042}, {\042type\042: \042ByteFallback\042}, {\042type"
     "\042: \042Fuse\042}, {\042type\042: \042Strip\042, \042content\042: \042 \042, \042start\042: 1, \042stop\042: 0}]}, \042added_t"
     "okens\042: [{\042id\042: 0, \042content\042: \042<unk>\042, \042single_word\042: false, \042lstrip\042: false, \042r"
     "strip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 1, \042content\042: \042<s>\042"
     ", \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042"
     "special\042: true}, {\042id\042: 2, \042content\042: \042</s>\042, \042single_word\042: false, \042lstrip\042: fa"
     "lse, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}], \042model\042: {\042type\042: "
     "\042BPE\042, \042dropout\042: null, \042unk_token\042: \042<unk>\042, \042byte_fallback\042: true, \042fuse_unk\042:"
     " true,",
     {0x8ad4cf89, 0x3913fcd6, 0x18031ea2, 0xef0be044, 0xea45573f, 0xfa1ff960, 0xd0c76a35,
      0x07967173, 0x7e1e1abd, 0x0b2a965b, 0x26137634, 0xe9346251, 0x379ac28c, 0x05248703,
      0x32c8ffa8, 0xbe2f7443, 0xd473fd88, 0x8b876fcb, 0xa2ceace2, 0x57df8ff8, 0xd8300692,
      0x9c6a7ede, 0x978cfc14, 0x2cb2a2e8, 0x9bcf590a, 0x432d54c6, 0x41a4499e, 0xd635bf34,
      0x22d801a3, 0x838893e5, 0xdc7f8d1c, 0xc7f9aa96, 0xf41843c4, 0xcc15ebcf, 0xf5876363,
      0xfc1cfd41, 0xf0e3369b, 0x9c7fcfdf, 0x720f614f, 0x224410b4, 0x27a7aeb7, 0xca2c49d9,
      0x12354ace, 0x1cac8ced, 0xd3c39f0d, 0xf3b1a3e4, 0x21901c6a, 0x8a4216df, 0xb7bd0acd,
      0x7417a4a7},
     {0x033a05df, 0xcad7a53f, 0xf7801b8a, 0x86d64cf0, 0x55938ab9},
     {0xbb1b8da4, 0x40dd4d71, 0x2b5d7cf2, 0x70048300, 0xff967eec, 0x0782e8d9, 0xf2a9802c,
      0x8e3407ba, 0x41c6861b, 0x12f139d7}},
    {"letters", "letters",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "NFD\042}, \042pre_tokenizer\042: {\042type\042: \042Sequence\042, \042pretokenizers\042: [{\042type\042: \042Split\042,"
     " \042pattern\042: {\042String\042: \042a\042}, \042behavior\042: \042MergedWithNext\042, \042invert\042: false}, {\042t"
     "ype\042: \042Split\042, \042pattern\042: {\042String\042: \042 \042}, \042behavior\042: \042MergedWithPrevious\042, \042in"
     "vert\042: false}, {\042type\042: \042Digits\042, \042individual_digits\042: false}]}, \042post_processor"
     "\042: null, \042decoder\042: null, \042added_tokens\042: [], \042model\042: {\042type\042: \042BPE\042, \042dropout\042"
     ": null, \042unk_token\042: \042<unk>\042, \042fuse_unk\042: false, \042continuing_subword_prefix\042: nu"
     "ll,",
     {0xd76030f1, 0xf533c834, 0xa441419c, 0xf094c6b0, 0xdd307341, 0x1a572d0a, 0x97e7b574,
      0x76e3be1d, 0xb6a6c497, 0x2eba2e7f, 0x1dbfbd9b, 0xf86c8ed0, 0x6e4a1b14, 0xc5f99691,
      0xa6bed9ce, 0x62c11bfd, 0x488da581, 0x5f6bc032, 0x0172dd97, 0xa993ebd2, 0x8985d71c,
      0x277789a7, 0xc56f6f4d, 0x6f658d95, 0x05d0e8b7, 0xe7e5a825, 0x8506e6af, 0x06f64855,
      0xea4c10f3, 0x636d6500, 0xf0944064, 0x7a948ea4, 0x961b5a34, 0x080ba856, 0x527c52ab,
      0xef329d5f, 0xcbe4bc2d, 0xfe00564c, 0xd40c72df, 0x47e1790a, 0x0e5793be, 0xa4e0fe7b,
      0x5c834d1f, 0x0c00f26a, 0x1848940a, 0xefe8e725, 0x944e0501, 0xf5849137, 0x1f52af10,
      0xbcc2a130},
     {0x9c7f68d5, 0x54b56d83, 0x02b0eb79, 0x480c92bb, 0xcd0b615b},
     {0x1304a667, 0x64fc0686, 0x0c943605, 0xa3b2296d, 0x092477eb, 0x7ab83fda, 0x6593d13c,
      0xe038b032, 0x595f8c82, 0xa2284a21}},
    {"fused", "letters",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: null, \042pre"
     "_tokenizer\042: {\042type\042: \042Sequence\042, \042pretokenizers\042: [{\042type\042: \042Split\042, \042pattern\042:"
     " {\042Regex\042: \042's|'t|'re|'ve|'m|'ll|'d| \077\134\134p{L}+| \077\134\134p{N}+| \077[^\134\134s\134\134p{L}\134\134p{N}]+|\134\134"
     "s+(\077!\134\134S)|\134\134s+\042}, \042behavior\042: \042Removed\042, \042invert\042: true}, {\042type\042: \042Punctuation\042"
     ", \042behavior\042: \042MergedWithNext\042}]}, \042post_processor\042: null, \042decoder\042: {\042type\042: \042"
     "Fuse\042}, \042added_tokens\042: [], \042model\042: {\042type\042: \042BPE\042, \042dropout\042: null, \042unk_token"
     "\042: \042<unk>\042, \042fuse_unk\042: true,",
     {0x51eacb74, 0xf8d63e84, 0x18a3a77c, 0x7f3b9f05, 0xed9113eb, 0x4499d588, 0x0e13cd56,
      0x3852e85f, 0xce0c8ecc, 0x993dfe75, 0xc1cd30f5, 0xc4bac1ea, 0x34ca2b31, 0x6c13913b,
      0x59d588fc, 0xe2b66f67, 0xb9812f63, 0x55914c42, 0x2685cdbf, 0xdb795044, 0xd9005dae,
      0x03bc3077, 0x4d6b7717, 0x8eadceaa, 0x5572fadc, 0x6b2ab0aa, 0xfb5330b1, 0x500bfd59,
      0xa25813b8, 0xa2b0c4a4, 0x8b107ba5, 0xa0bee0c3, 0x8ea4e274, 0x22aceee3, 0x423917ea,
      0x24727abd, 0x42b9bb5a, 0x1ee2b314, 0xab98d8fc, 0xe8973eb9, 0xc3ae77f1, 0x23c08259,
      0x5543d798, 0xa00f443a, 0xd06371bb, 0xa6e3b894, 0xb1328ae6, 0x8ffa975a, 0xebe16e31,
      0x898fd28f},
     {0x112b86e0, 0x1ab01067, 0x4347b904, 0x4000af35, 0x17074006},
     {0x8d8a3508, 0x302be2b1, 0x018eaa9f, 0xed2f10f7, 0xcc63320d, 0xc3a9af85, 0x4913091c,
      0xc76e6e43, 0x47e21c67, 0x4a0e3aff}},
};
/* Strings, vocab_size, min_frequency, pattern; tokens learnt, hash. */
static const unsigned text_learnt[][6] = {
    {300, 700, 0, 0, 700, 0x4a8c7a07},
    {600, 1500, 2, 1, 1500, 0x1f3c86b3},
    {100, 5000, 3, 2, 432, 0x83274e7b},
    {2000, 4000, 0, 0, 4000, 0xa8505329}};
