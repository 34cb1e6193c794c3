"""
Writes originalInterface.json: every class, method, function, parameter and default of the Python interface that cvkit
began as, in the order of its specification. Transcribed by hand; a signature is written as Python would have it.
"""

import ast
import json
from pathlib import Path

CLASSES = {
    "CVKitValidator": {
        "aliases": ["CVKit"],
        "constructor": "method='stratified_kfold', n_splits=5, random_state=42, shuffle=True, check_leakage=True, "
        "check_balance=True, compliance=None, metrics=None, return_confidence_intervals=True, ci_level=0.95, "
        "ci_method='bootstrap', n_bootstrap=1000, holdout_test_size=0.2, holdout_stratify=False, "
        "repeated_kfold_repeats=1, lpocv_p=2, monte_carlo_iterations=50, monte_carlo_test_size=0.2, "
        "bootstrap_validation_iterations=200, bootstrap_validation_estimator='standard'",
        "parameter_aliases": {
            "repeated_kfold_repeats": ["n_repeats"],
            "lpocv_p": ["p"],
            "monte_carlo_iterations": ["n_iterations", "iterations"],
            "monte_carlo_test_size": ["mc_test_size"],
            "bootstrap_validation_iterations": ["bootstrap_iterations"],
            "bootstrap_validation_estimator": ["bootstrap_estimator"],
        },
        "methods": {
            "validate": "*, model, X, y, patient_ids=None, groups=None, cv=None, leakage_checker=None, "
            "sample_weight=None, metrics=None, scoring=None",
            "fit_validate": "*, model, X_train, y_train, X_test, y_test, patient_ids=None, test_patient_ids=None, "
            "groups=None, test_groups=None, sample_weight=None, sample_weight_test=None, leakage_checker=None, "
            "metrics=None, scoring=None",
        },
    },
    "UniversalCVRunner": {
        "constructor": "cv_splitter, framework='auto', adapter=None, verbose=1",
        "methods": {
            "run": "model, data, epochs=None, optimizer=None, loss_fn=None, metrics=None, callbacks=None, groups=None",
            "run_with_hyperparameter_tuning": "model_fn, param_grid, data, scoring='accuracy', n_trials=10",
        },
    },
    "DataLeakageChecker": {
        "aliases": ["LeakageChecker"],
        "constructor": "verbose=True",
        "methods": {
            "check": "X, y=None, groups=None, timestamps=None, coordinates=None, n_splits=5, random_state=42",
            "check_cv_splits": "X_train, X_test, y_train=None, y_test=None, patient_ids_train=None, "
            "patient_ids_test=None, timestamps_train=None, timestamps_test=None, coordinates_train=None, "
            "coordinates_test=None, spatial_threshold=None",
            "check_feature_target_leakage": "X, y, threshold=0.95",
            "check_preprocessing_leakage": "X_original, X_processed, split_indices",
            "check_near_duplicates": "X_train, X_test, similarity_threshold=0.99",
            "check_hierarchical_leakage": "groups_train, groups_test, parent_groups_train, parent_groups_test",
            "comprehensive_check": "X, y, groups=None, timestamps=None, coordinates=None, feature_threshold=0.95",
        },
    },
    "BalanceChecker": {
        "aliases": ["ClassBalanceChecker"],
        "constructor": "threshold=0.1",
        "methods": {
            "check_class_balance": "y, groups=None",
            "check_cv_balance": "X, y, cv_splitter, groups=None",
            "check_feature_distribution": "X, feature_names=None",
            "generate_report": "",
        },
    },
    "ClinicalMetrics": {
        "constructor": "confidence_level=0.95, prevalence=None",
        "methods": {
            "calculate_all": "y_true, y_pred, y_proba=None, sample_weight=None",
            "format_report": "metrics",
        },
    },
}

K_FOLD = "n_splits=5, shuffle=False, random_state=None"
GROUPED = "n_splits=5, shuffle=True, random_state=None"
# Defaults that are splitters are left open: '...'.
NESTED = "outer_cv=..., inner_cv=..."

SPLITTERS = {
    "iid": [
        ("HoldOut", [], "test_size=0.2, random_state=None, stratify=None"),
        ("KFold", ["KFoldMedical"], K_FOLD),
        ("StratifiedKFold", ["StratifiedKFoldMedical"], K_FOLD),
        ("RepeatedKFold", [], "n_splits=5, n_repeats=10, random_state=None, stratify=False"),
        ("LOOCV", ["LeaveOneOut"], ""),
        ("LPOCV", ["LeavePOut"], "p"),
        ("BootstrapValidation", [], "n_iterations=100, estimator='standard', random_state=None"),
        ("MonteCarloCV", [], "n_iterations=100, test_size=0.2, random_state=None"),
        ("NestedCV", [], NESTED),
    ],
    "grouped": [
        ("GroupKFold", ["GroupKFoldMedical"], GROUPED),
        ("StratifiedGroupKFold", [], GROUPED),
        ("LeaveOneGroupOut", [], ""),
        ("LeavePGroupsOut", [], "n_groups"),
        ("RepeatedGroupKFold", [], "n_splits=5, n_repeats=10, random_state=None"),
        ("NestedGroupedCV", [], NESTED),
        ("HierarchicalGroupKFold", [], "n_splits=5, hierarchy_level='patient', shuffle=True, random_state=None"),
    ],
    "temporal": [
        ("TimeSeriesSplit", [], "n_splits=5, gap=0, test_size=None, max_train_size=None"),
        ("BlockedTimeSeries", ["BlockedTimeSeriesSplit"], "n_splits=5, block_size='day'"),
        ("RollingWindowCV", ["RollingWindowSplit"], "window_size, step_size=1, forecast_horizon=1, gap=0"),
        (
            "ExpandingWindowCV",
            ["ExpandingWindowSplit"],
            "initial_train_size=10, step_size=1, forecast_horizon=1, gap=0",
        ),
        ("PurgedKFoldCV", ["PurgedKFold"], "n_splits=5, purge_gap=0, embargo_size=0.0"),
        (
            "CombinatorialPurgedCV",
            ["CombinatorialPurgedKFold"],
            "n_splits=5, n_test_splits=2, purge_gap=0, embargo_size=0.0, strict_order=True",
        ),
        (
            "PurgedGroupTimeSeriesSplit",
            [],
            "n_splits=5, purge_gap=0, embargo_size=0.0, group_exclusive=False",
        ),
        ("NestedTemporalCV", [], NESTED),
    ],
    "spatial": [
        (
            "SpatialBlockCV",
            ["SpatialBlockSplit"],
            "n_splits=5, block_shape='grid', block_size=None, random_state=None, coordinates=None",
        ),
        (
            "BufferedSpatialCV",
            ["BufferedSpatialSplit"],
            "n_splits=5, buffer_size=0.1, distance_metric='euclidean', block_shape='grid', random_state=None",
        ),
        (
            "SpatiotemporalBlockCV",
            ["SpatiotemporalBlockSplit"],
            "n_spatial_blocks=3, n_temporal_blocks=3, buffer_space=0, buffer_time=0, block_shape='grid', "
            "random_state=None",
        ),
        (
            "EnvironmentalHealthCV",
            ["EnvironmentalHealthSplit"],
            "spatial_blocks=4, temporal_strategy='seasonal', environmental_vars=None, buffer_config=None",
        ),
    ],
    "multilabel": [
        ("MultilabelStratifiedKFold", [], K_FOLD),
        (
            "MultilabelStratifiedGroupKFold",
            [],
            "n_splits=5, shuffle=True, random_state=None, alpha=1.0, beta=1.0, eps=1e-9",
        ),
    ],
}

DATASETS = [
    "load_heart_disease",
    "load_diabetic_readmission",
    "load_cancer_imaging",
    "generate_synthetic_ehr",
    "generate_temporal_patient_data",
]


def parameters(signature):
    """Names and defaults, as Python reads them; a default that is an object has no value here."""
    given = ast.parse(f"def f({signature}): pass").body[0].args
    named = [(a.arg, None) for a in given.args[: len(given.args) - len(given.defaults)]]
    named += list(zip([a.arg for a in given.args[len(named) :]], given.defaults))
    named += list(zip([a.arg for a in given.kwonlyargs], given.kw_defaults))
    rows = []
    for name, default in named:
        if default is None:
            rows.append({"name": name, "required": True})
        else:
            value = ast.literal_eval(default)
            rows.append({"name": name} if value is ... else {"name": name, "default": value})
    return rows


def class_row(name, facts):
    return {
        "name": name,
        "aliases": facts.get("aliases", []),
        "constructor": parameters(facts["constructor"]),
        "parameter_aliases": facts.get("parameter_aliases", {}),
        "methods": [
            {"name": method, "keyword_only": signature.startswith("*"), "params": parameters(signature)}
            for method, signature in facts["methods"].items()
        ],
    }


interface = {
    "source": "the interface specification of the Python package, transcribed by originalInterface.py",
    "classes": [class_row(name, facts) for name, facts in CLASSES.items()],
    "splitters": {
        family: [
            {"name": name, "aliases": aliases, "params": parameters(signature)} for name, aliases, signature in rows
        ]
        for family, rows in SPLITTERS.items()
    },
    "datasets": DATASETS,
    "fields": {
        "ValidationResult": ["summary"],
        "LeakageReport": ["has_leakage", "severity", "leakage_types"],
    },
}
path = Path(__file__).with_suffix(".json")
path.write_text(json.dumps(interface, indent=1) + "\n")
